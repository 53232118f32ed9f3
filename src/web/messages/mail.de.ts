import type { Message } from "./en.ts";
import type { messages as english } from "./mail.en.ts";

/** Was Nachrichten und E-Mails auf Deutsch sagen, und die Texte der Auswahl von E-Mails. */
export { de as texts } from "../../texts/de.ts";

export const messages: Readonly<Record<keyof typeof english, Message>> = {
  "mail.title": "E-Mail",
  "mail.text":
    "Was im Eingang steht, und Erinnerungen, auch als E-Mail. In jeder ist ein Link, der alle beendet.",
  "mail.which": "Was Sie als E-Mail bekommen",
  "mail.asBuilding": "Was das Gebäude vorschlägt",
  "mail.own": "Was ich auswähle",
  "mail.nothing": "Nichts",
  "mail.kinds": "Arten von E-Mails",
  "mail.language": "Sprache der E-Mails",
  "mail.asBuildingLanguage": "Wie im Gebäude üblich",
  "mail.asBuildingIs": "Wie im Gebäude üblich: {value}",
  "mail.en": "Englisch",
  "mail.de": "Deutsch",
  "mail.remind": "Wie lange vor Beginn und Ende einer Reservierung Sie erinnert werden",
  "mail.remindHint": "Leer lassen: wie im Gebäude üblich.",
  "mail.remindHintIs": "Leer lassen: wie im Gebäude üblich, {length}.",
  "mail.unit": "{field}: Einheit",
  "mail.save": "E-Mail-Auswahl speichern",
  "mail.saved": "Ihre Auswahl der E-Mails ist gespeichert.",
};
