import type { Message } from "./en.ts";
import type { messages as english } from "./spot.en.ts";

/** Die Texte der Seite eines Stellplatzes und der Schilder. */
export const messages: Readonly<Record<keyof typeof english, Message>> = {
  "spot.unknown": "In diesem Gebäude gibt es keinen Stellplatz {name}",
  "spot.unknownText":
    "Vielleicht hat er jetzt eine andere Nummer. Die Übersicht zeigt alle Stellplätze.",
  "spot.toBoard": "Übersicht öffnen",
  "spot.freeUntil": "Jetzt frei, bis {time}",
  "spot.takenUntil": "Belegt bis {time}",
  "spot.notShared": "Wird zurzeit nicht geteilt",
  "spot.yours": "Ihre Reservierung: {span}",
  "spot.sharedUntil": "Ihr Stellplatz. Geteilt bis {time}, niemand hat reserviert",
  "spot.lentUntil": "Ihr Stellplatz. Verliehen bis {time}",
  "spot.keptByYou": "Ihr Stellplatz. Sie teilen ihn zurzeit nicht",
  "spot.claimUntil": "Bis {time} reservieren",
  "spot.otherTimes": "Andere Zeiten",
  "spot.later": "Später frei",
  "spot.claimSpan": "Reservieren: {span}",
  "spot.toClaims": "Meine Reservierungen öffnen",
  "spot.strangerTitle": "Auf {spot} steht jemand",
  "spot.strangerText":
    "Wir sagen es der Verwaltung. Wer den Stellplatz teilt oder gerade reserviert hat, erfährt es auch.",
  "spot.strangerPlate": "Kennzeichen des Autos",
  "spot.strangerNote": "Bemerkung",
  "spot.strangerNoteHint": "Etwa die Farbe, oder wo genau es steht.",
  "spot.strangerNow": "Melden",
  "spot.reportedAt": "Gemeldet um {time}.",
  "spot.reportedByOwner": "Wer den Stellplatz teilt, hat es um {time} gemeldet.",
  "spot.reportedByClaimer": "Wer gerade hier parken darf, hat es um {time} gemeldet.",
  "spot.told": "Die Verwaltung weiß Bescheid.",
  "spot.toldOwner": "Die Verwaltung und wer den Stellplatz teilt, wissen Bescheid.",
  "spot.toldClaimer": "Die Verwaltung und wer gerade hier parken darf, wissen Bescheid.",
  "spot.instead": "Ein anderer Stellplatz bis {until}",

  "signs.text":
    "Drucken Sie die Schilder und hängen Sie sie an den Stellplätzen auf. Wer einen Code scannt, sieht, ob der Stellplatz frei ist, und reserviert ihn dort.",
  "signs.whose": "Wessen Stellplätze",
  "signs.mine": "Meine Stellplätze",
  "signs.all": "Alle Stellplätze",
  "signs.print": "Drucken",
  "signs.none": "Es gibt keinen Stellplatz für ein Schild",
  "signs.question": "Frei? Scannen und reservieren.",
  "signs.code": "QR-Code von {address}",
};
