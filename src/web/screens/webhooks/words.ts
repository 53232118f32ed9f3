/** The words of the API. A test compares them with its description. */

export const webhookTypes = [
  "profile.registered",
  "profile.updated",
  "profile.approved",
  "profile.rejected",
  "profile.erased",
  "spot.registered",
  "spot.updated",
  "spot.verified",
  "spot.deleted",
  "availability.created",
  "availability.updated",
  "availability.deleted",
  "claim.submitted",
  "claim.updated",
  "claim.completed",
  "claim.cancelled",
  "claim.deleted",
  "report.submitted",
  "report.resolved",
] as const;

export const formats = ["event", "chat", "teams"] as const;

export const states = ["waiting", "failing", "delivered", "given_up"] as const;
