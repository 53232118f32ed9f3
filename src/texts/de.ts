import type { Texts, Words } from "./notification.ts";

const claimOf = ({ isOwner, claimer, spot }: Words): string => {
  if (!isOwner) return `Ihre Reservierung des Stellplatzes ${spot}`;
  return claimer
    ? `Die Reservierung Ihres Stellplatzes ${spot} durch ${claimer}`
    : `Die Reservierung Ihres Stellplatzes ${spot}`;
};

export const de: Texts = {
  language: "de",
  kinds: {
    "claim.submitted": {
      title: "Ein Stellplatz wurde reserviert",
      sentence: ({ isOwner, claimer, actor, spot, span }) => {
        if (!isOwner) {
          return actor
            ? `${actor} hat Stellplatz ${spot} für Sie reserviert: ${span}.`
            : `Stellplatz ${spot} wurde für Sie reserviert: ${span}.`;
        }
        if (!claimer) return `Ihr Stellplatz ${spot} wurde reserviert: ${span}.`;
        return actor
          ? `${actor} hat Ihren Stellplatz ${spot} für ${claimer} reserviert: ${span}.`
          : `${claimer} hat Ihren Stellplatz ${spot} reserviert: ${span}.`;
      },
    },
    "claim.completed": {
      title: "Eine Reservierung wurde beendet",
      sentence: (words) => `${claimOf(words)} wurde beendet: ${words.span}.`,
    },
    "claim.cancelled": {
      title: "Eine Reservierung wurde storniert",
      sentence: (words) =>
        `${claimOf(words)} wurde ${words.actor && `von ${words.actor} `}storniert: ${words.span}.`,
    },
    "claim.deleted": {
      title: "Eine Reservierung wurde gelöscht",
      sentence: (words) => `${claimOf(words)} wurde gelöscht: ${words.span}.`,
    },
    "claim.starts": {
      title: "Ihre Reservierung beginnt bald",
      sentence: (words) => `${claimOf(words)} beginnt bald: ${words.span}.`,
    },
    "claim.ends": {
      title: "Ihre Reservierung endet bald",
      sentence: (words) => `${claimOf(words)} endet bald: ${words.span}.`,
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
      title: "Eine Ihrer geteilten Zeiten wurde zurückgezogen",
      sentence: ({ spot, span }) =>
        `Eine geteilte Zeit Ihres Stellplatzes ${spot} wurde zurückgezogen: ${span}.`,
    },
    "report.submitted": {
      title: "Ein fremdes Auto wurde gemeldet",
      sentence: ({ isOwner, spot, vehicle }) =>
        `Auf ${isOwner ? "Ihrem Stellplatz" : "dem Stellplatz"} ${spot} wurde ein fremdes Auto gemeldet${vehicle && ` (${vehicle})`}.`,
    },
    "wish.fits": {
      title: "Ein Stellplatz, auf den Sie warten, ist frei",
      sentence: ({ spot, span }) =>
        `Der Stellplatz ${spot}, auf den Sie warten, ist frei: ${span}.`,
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
