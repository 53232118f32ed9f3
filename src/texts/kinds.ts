/** What notifications tell (sql/notifications/is_notification_kind.sql). */
export const notificationKinds = [
  "claim.submitted",
  "claim.completed",
  "claim.cancelled",
  "claim.deleted",
  "profile.approved",
  "profile.rejected",
  "profiles.waiting",
  "spot.verified",
  "spot.deleted",
  "availability.deleted",
  "report.submitted",
  "wish.fits",
  "pattern.collided",
  "webhook.disabled",
] as const;

/** What mails tell (sql/preferences/are_mail_kinds.sql): besides, what the calendar says. */
export const mailKinds = [...notificationKinds, "claim.starts", "claim.ends"] as const;
export type MailKind = (typeof mailKinds)[number];

/** The languages of the texts, the usual one first. */
export const languages = ["en", "de"] as const;
export type Language = (typeof languages)[number];
