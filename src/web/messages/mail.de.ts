import type { Message } from "./en.ts";
import type { messages as english } from "./mail.en.ts";

/** Was Nachrichten und E-Mails auf Deutsch sagen, und die Texte der Auswahl von E-Mails. */
export { de as texts } from "../../texts/de.ts";

export const messages: Readonly<Record<keyof typeof english, Message>> = {
  "push.title": "Auf diesem Gerät",
  "push.text":
    "Sie erfahren es sofort, auch wenn die Seite geschlossen ist. Dort steht, welcher Stellplatz und wann, aber kein Name und kein Code: Andere sehen Ihren Bildschirm vielleicht auch.",
  "push.begin": "Auf diesem Gerät melden",
  "push.isOn": "Dieses Gerät meldet sich bei Ihnen.",
  "push.begun": "Ab jetzt meldet sich dieses Gerät bei Ihnen.",
  "push.end": "Nicht mehr melden",
  "push.ended": "Dieses Gerät meldet nichts mehr.",
  "push.denied":
    "Dieser Browser lässt keine Mitteilungen der Seite zu. Erlauben Sie sie in den Einstellungen des Browsers für diese Seite, und kommen Sie dann zurück.",
  "push.install":
    "Auf dem iPhone oder iPad geht das nur vom Home-Bildschirm aus: Tippen Sie auf „Teilen“, dann auf „Zum Home-Bildschirm“. Öffnen Sie die Seite von dort und kommen Sie in Ihr Profil zurück.",
  "push.missing": "Dieser Browser kann nichts melden, wenn die Seite geschlossen ist.",
  "push.others": {
    one: "Ein weiteres Ihrer Geräte meldet sich auch.",
    other: "{count} weitere Ihrer Geräte melden sich auch.",
  },
  "push.endOthers": "Nicht auf meinen anderen Geräten",
  "push.othersEnded": "Ihre anderen Geräte melden nichts mehr.",
  "push.which": "Was Ihre Geräte melden",
  "push.kinds": "Arten von Mitteilungen",
  "push.save": "Auswahl für Geräte speichern",
  "push.saved": "Ihre Auswahl für Geräte ist gespeichert.",

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
  "mail.remind": "Wie lange vor Beginn und Ende einer Reservierung Sie erinnert werden, in Minuten",
  "mail.remindHint": "Leer: wie im Gebäude üblich.",
  "mail.remindHintIs": "Leer: wie im Gebäude üblich, {length}.",
  "mail.save": "E-Mail-Auswahl speichern",
  "mail.saved": "Ihre Auswahl der E-Mails ist gespeichert.",
};
