import type { Texts, Words } from "./notification.ts";

const claimOf = ({ isOwner, claimer, spot }: Words): string => {
  if (!isOwner) return `Your claim on spot ${spot}`;
  return claimer ? `${claimer}'s claim on your spot ${spot}` : `The claim on your spot ${spot}`;
};

export const en: Texts = {
  language: "en",
  kinds: {
    "claim.submitted": {
      title: "A parking spot was claimed",
      sentence: ({ isOwner, claimer, actor, spot, span }) => {
        if (!isOwner) {
          return actor
            ? `${actor} claimed spot ${spot} for you: ${span}.`
            : `Spot ${spot} was claimed for you: ${span}.`;
        }
        if (!claimer) return `Your spot ${spot} was claimed: ${span}.`;
        return actor
          ? `${actor} claimed your spot ${spot} for ${claimer}: ${span}.`
          : `${claimer} claimed your spot ${spot}: ${span}.`;
      },
    },
    "claim.completed": {
      title: "A claim was finished",
      sentence: (words) => `${claimOf(words)} was finished: ${words.span}.`,
    },
    "claim.cancelled": {
      title: "A claim was cancelled",
      sentence: (words) =>
        `${claimOf(words)} was cancelled${words.actor && ` by ${words.actor}`}: ${words.span}.`,
    },
    "claim.deleted": {
      title: "A claim was deleted",
      sentence: (words) => `${claimOf(words)} was deleted: ${words.span}.`,
    },
    "claim.starts": {
      title: "Your claim starts soon",
      sentence: (words) => `${claimOf(words)} starts soon: ${words.span}.`,
    },
    "claim.ends": {
      title: "Your claim ends soon",
      sentence: (words) => `${claimOf(words)} ends soon: ${words.span}.`,
    },
    "profile.approved": {
      title: "Your account was approved",
      sentence: () => "Your account was approved.",
    },
    "profile.rejected": {
      title: "Your account was not approved",
      sentence: () => "Your account was not approved.",
    },
    "spot.verified": {
      title: "Your parking spot was verified",
      sentence: ({ spot }) => `Your spot ${spot} was verified.`,
    },
    "spot.deleted": {
      title: "A parking spot was removed",
      sentence: ({ isOwner, spot, span }) => {
        if (isOwner) return `Your spot ${spot} was removed.`;
        return span
          ? `Spot ${spot}, which you were waiting for, was removed: ${span}.`
          : `Spot ${spot}, which you had claimed, was removed.`;
      },
    },
    "availability.deleted": {
      title: "A time you share was withdrawn",
      sentence: ({ spot, span }) => `A time you share spot ${spot} was withdrawn: ${span}.`,
    },
    "report.submitted": {
      title: "A stranger's car was reported",
      sentence: ({ isOwner, spot, vehicle }) =>
        `Someone reported a stranger's car${vehicle && ` (${vehicle})`} on ${isOwner ? "your spot" : "spot"} ${spot}.`,
    },
    "wish.fits": {
      title: "A parking spot you are waiting for is free",
      sentence: ({ spot, span }) => `Spot ${spot}, which you are waiting for, is free: ${span}.`,
    },
    "webhook.disabled": {
      title: "A webhook was turned off",
      sentence: () => "A webhook was turned off because its deliveries failed.",
    },
    "profiles.waiting": {
      title: "People are waiting for approval",
      sentence: ({ count }) =>
        count === 1
          ? "One person is waiting for approval."
          : `${count} people are waiting for approval.`,
    },
  },
  offer: (span) => `Only you can claim it: ${span}.`,
  reason: (reason) => `Reason: ${reason}`,
};
