import type { Texts } from "./notification.ts";

const claimOf = (isOwner: boolean, spot: string): string =>
  isOwner ? `The claim of your parking spot ${spot}` : `Your claim of parking spot ${spot}`;

export const en: Texts = {
  language: "en",
  kinds: {
    "claim.submitted": {
      title: "Your parking spot was claimed",
      sentence: ({ spot, span }) => `Your parking spot ${spot} was claimed: ${span}.`,
    },
    "claim.completed": {
      title: "A claim was completed",
      sentence: ({ isOwner, spot, span }) => `${claimOf(isOwner, spot)} was completed: ${span}.`,
    },
    "claim.cancelled": {
      title: "A claim was cancelled",
      sentence: ({ isOwner, spot, span }) => `${claimOf(isOwner, spot)} was cancelled: ${span}.`,
    },
    "claim.deleted": {
      title: "A claim was deleted",
      sentence: ({ isOwner, spot, span }) => `${claimOf(isOwner, spot)} was deleted: ${span}.`,
    },
    "claim.starts": {
      title: "Your claim starts soon",
      sentence: ({ spot, span }) => `Your claim of parking spot ${spot} starts soon: ${span}.`,
    },
    "claim.ends": {
      title: "Your claim ends soon",
      sentence: ({ spot, span }) => `Your claim of parking spot ${spot} ends soon: ${span}.`,
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
      sentence: ({ spot }) => `Your parking spot ${spot} was verified.`,
    },
    "spot.deleted": {
      title: "A parking spot was deleted",
      sentence: ({ isOwner, spot, span }) => {
        if (isOwner) return `Your parking spot ${spot} was deleted.`;
        return span
          ? `Parking spot ${spot}, for which you waited, was deleted: ${span}.`
          : `Parking spot ${spot}, which you had claimed, was deleted.`;
      },
    },
    "availability.deleted": {
      title: "Your window was deleted",
      sentence: ({ spot, span }) => `Your window of parking spot ${spot} was deleted: ${span}.`,
    },
    "report.submitted": {
      title: "A stranger's car was reported",
      sentence: ({ isOwner, spot, vehicle }) =>
        `A stranger's car${vehicle && ` (${vehicle})`} was reported on ${isOwner ? "your parking" : "parking"} spot ${spot}.`,
    },
    "wish.fits": {
      title: "A parking spot is free, as you wished",
      sentence: ({ spot, span }) => `Parking spot ${spot} is free, as you wished: ${span}.`,
    },
    "webhook.disabled": {
      title: "A webhook was turned off",
      sentence: () => "A webhook was turned off, because its deliveries failed.",
    },
    "profiles.waiting": {
      title: "People wait for approval",
      sentence: ({ count }) =>
        count === 1 ? "One person waits for approval." : `${count} people wait for approval.`,
    },
  },
  offer: (span) => `Only you can claim it: ${span}.`,
  reason: (reason) => `Reason: ${reason}`,
};
