import type { Texts } from "./notification.ts";

const claimOf = (isOwner: boolean, spot: string): string =>
  isOwner
    ? `Die Reservierung Ihres Stellplatzes ${spot}`
    : `Ihre Reservierung des Stellplatzes ${spot}`;

export const de: Texts = {
  language: "de",
  kinds: {
    "claim.submitted": {
      title: "Ihr Stellplatz wurde reserviert",
      sentence: ({ spot, span }) => `Ihr Stellplatz ${spot} wurde reserviert: ${span}.`,
    },
    "claim.completed": {
      title: "Eine Reservierung wurde beendet",
      sentence: ({ isOwner, spot, span }) => `${claimOf(isOwner, spot)} wurde beendet: ${span}.`,
    },
    "claim.cancelled": {
      title: "Eine Reservierung wurde storniert",
      sentence: ({ isOwner, spot, span }) => `${claimOf(isOwner, spot)} wurde storniert: ${span}.`,
    },
    "claim.deleted": {
      title: "Eine Reservierung wurde gelöscht",
      sentence: ({ isOwner, spot, span }) => `${claimOf(isOwner, spot)} wurde gelöscht: ${span}.`,
    },
    "claim.starts": {
      title: "Ihre Reservierung beginnt bald",
      sentence: ({ spot, span }) =>
        `Ihre Reservierung des Stellplatzes ${spot} beginnt bald: ${span}.`,
    },
    "claim.ends": {
      title: "Ihre Reservierung endet bald",
      sentence: ({ spot, span }) =>
        `Ihre Reservierung des Stellplatzes ${spot} endet bald: ${span}.`,
    },
    "profile.approved": {
      title: "Ihr Konto wurde freigegeben",
      sentence: () => "Ihr Konto wurde freigegeben.",
    },
    "profile.rejected": {
      title: "Ihr Konto wurde nicht freigegeben",
      sentence: () => "Ihr Konto wurde nicht freigegeben.",
    },
    "spot.verified": {
      title: "Ihr Stellplatz wurde bestätigt",
      sentence: ({ spot }) => `Ihr Stellplatz ${spot} wurde bestätigt.`,
    },
    "spot.deleted": {
      title: "Ein Stellplatz wurde entfernt",
      sentence: ({ isOwner, spot, span }) => {
        if (isOwner) return `Ihr Stellplatz ${spot} wurde entfernt.`;
        return span
          ? `Der Stellplatz ${spot}, auf den Sie gewartet haben, wurde entfernt: ${span}.`
          : `Der Stellplatz ${spot}, den Sie reserviert hatten, wurde entfernt.`;
      },
    },
    "availability.deleted": {
      title: "Ihre geteilte Zeit wurde zurückgezogen",
      sentence: ({ spot, span }) =>
        `Ihre geteilte Zeit des Stellplatzes ${spot} wurde zurückgezogen: ${span}.`,
    },
    "report.submitted": {
      title: "Ein fremdes Auto wurde gemeldet",
      sentence: ({ isOwner, spot, vehicle }) =>
        `Auf ${isOwner ? "Ihrem Stellplatz" : "dem Stellplatz"} ${spot} wurde ein fremdes Auto gemeldet${vehicle && ` (${vehicle})`}.`,
    },
    "wish.fits": {
      title: "Ein Stellplatz ist frei, wie Sie es gewünscht haben",
      sentence: ({ spot, span }) =>
        `Der Stellplatz ${spot} ist frei, wie Sie es gewünscht haben: ${span}.`,
    },
    "webhook.disabled": {
      title: "Ein Webhook wurde abgeschaltet",
      sentence: () => "Ein Webhook wurde abgeschaltet, weil seine Zustellungen fehlschlugen.",
    },
    "profiles.waiting": {
      title: "Jemand wartet auf Freigabe",
      sentence: ({ count }) =>
        count === 1 ? "Eine Person wartet auf Freigabe." : `${count} Personen warten auf Freigabe.`,
    },
  },
  offer: (span) => `Nur Sie können ihn reservieren: ${span}.`,
  reason: (reason) => `Grund: ${reason}`,
};
