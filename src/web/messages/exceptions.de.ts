import type { Message } from "./en.ts";
import type { exceptions as english } from "./exceptions.en.ts";

/** Die Texte der wöchentlichen Zeiten und der Ausnahmen auf Deutsch. */
export const exceptions: Readonly<Record<keyof typeof english, Message>> = {
  "week.of": "Wann {spot} geteilt ist",
  "week.earlier": "Frühere Woche",
  "week.later": "Spätere Woche",

  "pattern.title": "Wöchentliche Zeiten ändern",
  "pattern.text":
    "Was Nachbarn reserviert haben, bleibt. Alles andere richtet sich nach den neuen Zeiten.",
  "pattern.changeThis": "Ändern: {pattern}",
  "pattern.from": "ab {first}",
  "pattern.fromUntil": "von {first} bis {last}",
  "pattern.end": "Nicht mehr jede Woche teilen",
  "pattern.ended": "Ihr Stellplatz ist nicht mehr jede Woche geteilt.",
  "pattern.endedBut": {
    one: "Nicht mehr jede Woche geteilt. {count} reservierte Zeit bleibt.",
    other: "Nicht mehr jede Woche geteilt. {count} reservierte Zeiten bleiben.",
  },

  "exceptions.title": "Sie brauchen ihn, oder sind weg",
  "exceptions.keep": "Sie brauchen {spot}",
  "exceptions.share": "Sie sind weg: {spot}",
  "exceptions.all": "alle Ihre Stellplätze",
  "exceptions.allMine": "Alle meine Stellplätze",
  "exceptions.which": "Welche Stellplätze",
  "exceptions.keepTitle": "Ich brauche ihn",
  "exceptions.shareTitle": "Ich bin weg",
  "exceptions.keepText":
    "Was in dieser Zeit noch frei ist, wird zurückgezogen. Was Nachbarn reserviert haben, bleibt; wenn sie stornieren, wird es auch zurückgezogen.",
  "exceptions.shareText": "Alles, was in dieser Zeit noch nicht geteilt ist, wird geteilt.",
  "exceptions.keepDone": "Was frei war, ist zurückgezogen.",
  "exceptions.shareDone": "Ihr Stellplatz ist geteilt, solange Sie weg sind.",
  "exceptions.claimed": "Reserviert, bleibt",
  "exceptions.withdrawn": "Wird zurückgezogen",
  "exceptions.claims": {
    one: "{count} Reservierung bleibt. Sprechen Sie mit dem Nachbarn, wenn Sie den Stellplatz dann brauchen.",
    other:
      "{count} Reservierungen bleiben. Sprechen Sie mit den Nachbarn, wenn Sie den Stellplatz dann brauchen.",
  },
  "exceptions.undo": "Rückgängig",
  "exceptions.undoThis": "Rückgängig: {exception}, {span}",
  "exceptions.undone": "Rückgängig gemacht, bis auf das, was Nachbarn seither reserviert haben.",
};
