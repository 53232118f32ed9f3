import type { Message } from "./en.ts";
import type { messages as english } from "./mail.en.ts";

/** Was Nachrichten und E-Mails auf Deutsch sagen, und die Texte der Auswahl von E-Mails. */
export { de as texts } from "../../texts/de.ts";

export const messages: Readonly<Record<keyof typeof english, Message>> = {
  "push.title": "Mitteilungen auf diesem Gerät",
  "push.text":
    "Sie erfahren sofort, was geschieht, auch wenn die Seite geschlossen ist. In der Mitteilung stehen Stellplatz und Zeit, aber keine Namen und keine Codes: Andere sehen Ihren Bildschirm vielleicht auch.",
  "push.begin": "Hier Mitteilungen bekommen",
  "push.isOn": "Sie bekommen auf diesem Gerät Mitteilungen.",
  "push.begun": "Ab jetzt bekommen Sie hier Mitteilungen.",
  "push.end": "Hier ausschalten",
  "push.ended": "Auf diesem Gerät bekommen Sie keine Mitteilungen mehr.",
  "push.denied":
    "Dieser Browser blockiert Mitteilungen der Seite. Erlauben Sie sie in den Einstellungen des Browsers, und kommen Sie dann zurück.",
  "push.install":
    "Auf dem iPhone oder iPad geht das nur vom Home-Bildschirm aus: Tippen Sie auf „Teilen“, dann auf „Zum Home-Bildschirm“. Öffnen Sie die Seite von dort und kommen Sie in Ihr Profil zurück.",
  "push.missing": "Dieser Browser kann keine Mitteilungen zeigen, wenn die Seite geschlossen ist.",
  "push.others": {
    one: "Sie bekommen sie auch auf einem anderen Gerät.",
    other: "Sie bekommen sie auch auf {count} anderen Geräten.",
  },
  "push.endOthers": "Auf anderen Geräten ausschalten",
  "push.othersEnded": "Auf Ihren anderen Geräten bekommen Sie keine Mitteilungen mehr.",
  "push.which": "Was Ihnen Ihre Geräte mitteilen",
  "push.kinds": "Arten von Mitteilungen",
  "push.save": "Auswahl der Mitteilungen speichern",
  "push.saved": "Ihre Auswahl der Mitteilungen ist gespeichert.",

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
