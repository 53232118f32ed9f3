import type { messages as english } from "./board.en.ts";
import type { Message } from "./en.ts";

/** Die Texte der Übersicht. */
export const messages: Readonly<Record<keyof typeof english, Message>> = {
  "board.empty": "Es gibt noch keine Stellplätze",
  "board.emptyText": "Machen Sie den Anfang: Tragen Sie Ihren Stellplatz unter Stellplätze ein.",
  "board.noneFree": "In dieser Zeit ist nichts frei",
  "board.noneShared": "In dieser Zeit teilt niemand einen Stellplatz",
  "board.noneSharedText": "Sehen Sie an einem anderen Tag nach.",
  "board.unshared": "{count} nicht geteilt",
  "board.filters": "Filter",
  "board.filtersSet": "{count} gesetzt",
  "board.noFilters": "Zurücksetzen",
  "board.show": "Anzeigen",
  "board.days": "Zeitraum",
  "board.span": { one: "Tag", other: "{count} Tage" },
  "board.earlier": "Früher",
  "board.later": "Später",
  "board.onlyFree": "Nur freie Stellplätze",
  "board.view": "Ansicht",
  "board.asBoard": "Plan",
  "board.asTable": "Tabelle",
};
