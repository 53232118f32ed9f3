import type { messages as english } from "./claims.en.ts";
import type { Message } from "./en.ts";

/** Die Texte zu wiederholten Reservierungen und zu dem, worauf jemand wartet, auf Deutsch. */
export const messages: Readonly<Record<keyof typeof english, Message>> = {
  "series.title": "Jede Woche reservieren",
  "series.lead":
    "Dieselben Stunden an mehreren Tagen, etwa jeden Dienstag oder von Montag bis Donnerstag.",
  "series.claim": "Diese Tage reservieren",
  "series.free": { one: "{count} Tag ist frei.", other: "{count} Tage sind frei." },
  "series.notFree": {
    one: "{count} Tag ist nicht frei und fällt weg.",
    other: "{count} Tage sind nicht frei und fallen weg.",
  },
  "series.notAll": {
    one: "{count} Tag ist nicht frei, darum wird nichts reserviert.",
    other: "{count} Tage sind nicht frei, darum wird nichts reserviert.",
  },
  "series.allOrNone": "Nur, wenn jeder Tag frei ist",
  "series.noDay": "Keiner dieser Tage liegt noch vor uns.",
  "series.days": "Was Sie bekommen",
  "series.none": "Nichts ist frei",
  "series.own": "Sie haben dann schon {spot}",
  "series.done": {
    one: "{count} Tag ist für Sie reserviert.",
    other: "{count} Tage sind für Sie reserviert.",
  },
  "series.undone": "Keiner dieser Tage ist mehr reserviert.",
  "series.more": {
    one: "{count} Reservierung bis {until}",
    other: "{count} Reservierungen bis {until}",
  },
  "series.spots": "{count} Stellplätze",
  "series.sure":
    "Ihre Reservierung am {span} und alle späteren, die Sie zusammen mit ihr gemacht haben, stornieren?",
  "series.cancelled": {
    one: "{count} Reservierung wurde storniert.",
    other: "{count} Reservierungen wurden storniert.",
  },

  "wishes.title": "Worauf Sie warten",
  "wishes.missing": "Nichts Passendes dabei?",
  "wishes.text": "Wir sagen Ihnen, wenn ein Stellplatz für die ganze Zeit frei wird: {span}.",
  "wishes.where": "Wo",
  "wishes.anywhere": "Überall",
  "wishes.ask": "Benachrichtigen, wenn etwas frei wird",
  "wishes.asked": "Wir sagen Ihnen, wenn etwas frei wird.",
  "wishes.waits":
    "Sie warten auf einen Stellplatz zu dieser Zeit. Was daraus wird, sehen Sie bei Ihren Reservierungen.",
  "wishes.see": "Ansehen, worauf Sie warten",
  "wishes.state.waiting": "Wartet",
  "wishes.state.over": "Nichts gefunden",
  "wishes.nothingYet": "Noch ist nichts frei.",
  "wishes.faster": "Jemand war schneller. Wir sagen Ihnen, wenn etwas anderes frei wird.",
  "wishes.fits": "{spot} ist frei.",
  "wishes.kept": "Der Stellplatz bleibt Ihnen bis {until} vorbehalten.",
  "wishes.keptLater":
    "Der Stellplatz bleibt Ihnen von {from} bis {until} vorbehalten, wenn ihn niemand nimmt, der vor Ihnen gefragt hat.",
  "wishes.withdraw": "Nicht mehr warten",
  "wishes.remove": "Entfernen",
  "wishes.withdrawOf": "Nicht mehr warten auf {span}",
  "wishes.removeOf": "{span} entfernen",
  "wishes.state.withdrawn": "Zurückgezogen",
  "wishes.withdrawn": "Sie warten nicht mehr auf {span}.",
};
