import type { Message } from "./en.ts";
import type { spot as english } from "./spot.en.ts";

/** Die Texte der Seite eines Stellplatzes und der Schilder. */
export const spot: Readonly<Record<keyof typeof english, Message>> = {
  "spot.unknown": "In diesem Gebäude gibt es keinen Platz {name}",
  "spot.unknownText":
    "Vielleicht hat er jetzt eine andere Nummer. Die Übersicht zeigt alle Plätze.",
  "spot.toBoard": "Übersicht öffnen",
  "spot.freeUntil": "Jetzt frei, bis {time}",
  "spot.freeLater": "Jetzt belegt oder nicht geteilt. Frei {span}",
  "spot.takenUntil": "Belegt bis {time}",
  "spot.notShared": "Wird zurzeit nicht geteilt",
  "spot.yours": "Ihre Reservierung: {span}",
  "spot.sharedUntil": "Ihr Platz. Geteilt bis {time}, niemand hat reserviert",
  "spot.lentUntil": "Ihr Platz. Verliehen bis {time}",
  "spot.keptByYou": "Ihr Platz. Sie teilen ihn zurzeit nicht",
  "spot.claimUntil": "Bis {time} reservieren",
  "spot.otherTimes": "Andere Zeiten",
  "spot.later": "Später frei",
  "spot.claimSpan": "{span} reservieren",
  "spot.toClaims": "Meine Reservierungen öffnen",
  "spot.strangerText": "Wer den Platz gerade mit Ihnen teilt und die Verwaltung erfahren davon.",
  "spot.strangerPlate": "Kennzeichen des Autos (freiwillig)",
  "spot.strangerNote": "Bemerkung (freiwillig)",
  "spot.strangerNoteHint": "Etwa die Farbe, oder wo genau es steht.",
  "spot.strangerNow": "Melden",
  "spot.strangerDone": "Es ist gemeldet.",
  "spot.sign": "Schild mit QR-Code",
  "spot.person": "Ihre Stellplätze öffnen",

  "signs.text":
    "Drucken Sie die Schilder und hängen Sie sie an den Plätzen auf. Wer einen Code scannt, sieht, ob der Platz frei ist, und reserviert ihn dort.",
  "signs.whose": "Wessen Plätze",
  "signs.mine": "Meine Plätze",
  "signs.all": "Alle Plätze",
  "signs.print": "Drucken",
  "signs.none": "Es gibt keinen Platz für ein Schild",
  "signs.question": "Frei? Scannen und reservieren.",
  "signs.code": "QR-Code von {address}",
};
