/** The kinds of notifications (private.is_notification_kind). */
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
  "webhook.disabled",
] as const;

/** The kinds of mails (private.are_mail_kinds): also those of the calendar. */
export const mailKinds = [...notificationKinds, "claim.starts", "claim.ends"] as const;
export type MailKind = (typeof mailKinds)[number];

/** The languages of the texts. The first is the default. */
export const languages = ["en", "de"] as const;
export type Language = (typeof languages)[number];
