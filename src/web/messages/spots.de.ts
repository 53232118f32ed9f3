import type { Message } from "./en.ts";
import type { messages as english } from "./spots.en.ts";

/** Die Texte zu den eigenen Stellplätzen auf Deutsch. */
export const messages: Readonly<Record<keyof typeof english, Message>> = {
  "spots.none": "Sie haben hier noch keinen Stellplatz",
  "spots.noneText":
    "Tragen Sie Ihren Stellplatz ein, um ihn mit den Nachbarn zu teilen, wenn Sie ihn nicht brauchen.",
  "spots.register": "Stellplatz eintragen",
  "spots.registered": "Ihr Stellplatz ist eingetragen.",
  "spots.number": "Nummer",
  "spots.numberHint": "Wie sie auf dem Boden steht.",
  "spots.notes": "Für alle",
  "spots.notesHint": "Etwa Breite, Höhe, Ladestation. Nachbarn lesen es, bevor sie reservieren.",
  "spots.access": "Nur für die, die reserviert haben",
  "spots.accessHint":
    "Etwa der Code des Tors. Nur wer reserviert hat, liest es, bis die Reservierung endet.",
  "spots.verified": "Bestätigt",
  "spots.verifiedAgain":
    "Nach einer Änderung von Nummer oder Bereich muss die Verwaltung den Stellplatz erneut bestätigen.",
  "spots.saved": "Ihr Stellplatz ist gespeichert.",
  "spots.editTitle": "{spot} bearbeiten",
  "spots.remove": "Diesen Stellplatz entfernen",
  "spots.removeText":
    "Der Stellplatz und alle Zeiten, zu denen er geteilt ist, werden entfernt. Das lässt sich nicht rückgängig machen.",
  "spots.removeNow": "Endgültig entfernen",
  "spots.removed": "Der Stellplatz ist entfernt.",
  "spots.notShared": "Zurzeit teilen Sie ihn nicht.",
  "spots.more": "Mehr für {spot}",
  "spots.asNeighbour": "Wie Nachbarn ihn sehen",
  "spots.sign": "Schild mit QR-Code",
  "spots.ofPattern":
    "Diese Zeit gehört zu Ihren wöchentlichen Zeiten. Geändert oder zurückgezogen, folgt sie ihnen nicht mehr.",
  "spots.withdraw": "Zurückziehen",
  "spots.withdrawn": "Zurückgezogen: {span}.",
  "spots.changeTitle": "Ändern, wann Sie teilen",

  "share.title": "{spot} teilen",
  "share.how": "Wie oft",
  "share.once": "Einmal",
  "share.weekly": "Jede Woche",
  "share.weekdays": "An diesen Tagen",
  "share.noWeekday": "Wählen Sie mindestens einen Wochentag.",
  "share.lastDay": "Letzter Tag",
  "share.preview": "Was geschieht",
  "share.past": "Vergangen",
  "share.done": "Ihr Stellplatz ist geteilt.",
  "share.shareWeekly": "Jede Woche teilen",
  "share.doneWeekly": "Ihr Stellplatz ist jede Woche geteilt.",
  "share.untilFurtherNotice": "Leer lassen, um bis auf Weiteres zu teilen.",
  "share.overlaps": "Schon geteilt",
  "share.kept": "Sie brauchen ihn dann",
  "share.weeks": "{count} Mal in den nächsten Wochen.",
  "share.more": "Weitere folgen von selbst.",
  "share.skipped": "Was ausgelassen wird",

  "now.notShared": "Jetzt nicht geteilt",
  "now.sharedUntil": "Geteilt bis {until}",
  "now.lentUntil": "Verliehen bis {until}",
  "now.shareTomorrow": "Morgen 8–18 teilen",
  "now.sharedTomorrow": "Morgen geteilt",
  "now.shareNow": "Jetzt teilen bis …",
  "now.shareOther": "Teilen …",
  "now.shared": "{spot} ist geteilt, {span}.",

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

  "exceptions.title": "Wenn Sie ihn brauchen oder weg sind",
  "exceptions.keep": "Sie brauchen {spot}",
  "exceptions.share": "Sie sind weg: {spot}",
  "exceptions.all": "alle Ihre Stellplätze",
  "exceptions.allMine": "Alle meine Stellplätze",
  "exceptions.which": "Welche Stellplätze",
  "exceptions.keepTitle": "Ich brauche ihn",
  "exceptions.shareTitle": "Ich bin weg",
  "exceptions.keepNow": "Für mich freihalten",
  "exceptions.shareNow": "Für diese Zeit teilen",
  "exceptions.keepText":
    "Was in dieser Zeit noch frei ist, wird zurückgezogen. Was Nachbarn reserviert haben, bleibt; wenn sie stornieren, wird es auch zurückgezogen.",
  "exceptions.shareText": "Alles, was in dieser Zeit noch nicht geteilt ist, wird geteilt.",
  "exceptions.keepDone": "Was frei war, ist zurückgezogen.",
  "exceptions.shareDone": "Geteilt, solange Sie weg sind.",
  "exceptions.claimed": "Reserviert, bleibt",
  "exceptions.withdrawn": "Wird zurückgezogen",
  "exceptions.claims": {
    one: "{count} Reservierung bleibt. Sprechen Sie mit dem Nachbarn, wenn Sie den Stellplatz dann brauchen.",
    other:
      "{count} Reservierungen bleiben. Sprechen Sie mit den Nachbarn, wenn Sie den Stellplatz dann brauchen.",
  },
  "exceptions.undoThis": "Rückgängig: {exception}, {span}",
  "exceptions.undone": "Rückgängig gemacht, bis auf das, was Nachbarn seither reserviert haben.",
};
