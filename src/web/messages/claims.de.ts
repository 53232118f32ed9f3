import type { Message } from "./en.ts";
import type { messages as english } from "./series.en.ts";

/** Die Texte zu Reservierungen, die sich wiederholen, auf Deutsch. */
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
};
