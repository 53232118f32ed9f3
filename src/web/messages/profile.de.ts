import type { Message } from "./en.ts";
import type { messages as english } from "./profile.en.ts";

/** Die Texte des Profils auf Deutsch. */
export const messages: Readonly<Record<keyof typeof english, Message>> = {
  "profile.changeAddress": "Adresse ändern",
  "profile.signOutElsewhere": "Überall sonst abmelden",
  "profile.yours": "Ihre Angaben",
  "profile.apartment": "Wohnung",
  "profile.name": "Vor- und Nachname",
  "profile.phone": "Telefonnummer",
  "profile.phoneHint": "Die Verwaltung sieht sie, und der Concierge, wenn Sie reservieren.",
  "profile.vehicle": "Übliches Kennzeichen",
  "profile.vehicleHint": "Wird vorgeschlagen, wenn Sie einen Stellplatz reservieren.",
  "profile.data": "Ihre Daten",
  "profile.dataText": "Alles, was der Dienst über Sie speichert, in einer Datei (JSON).",
  "profile.download": "Meine Daten herunterladen",
  "profile.sharesPhone":
    "Nachbarn, die meinen Stellplatz reservieren oder deren Stellplatz ich reserviere, dürfen meine Telefonnummer sehen",
  "profile.register": "Registrieren",
  "profile.register.text":
    "Willkommen! Geben Sie an, welche Wohnung Ihre ist. Sind Sie eingeladen, geht es gleich weiter; sonst gibt die Verwaltung Ihr Konto frei.",
  "profile.register.spots": "Mit der Registrierung bekommen Sie: {spots}",
  "profile.registered": "Sie sind registriert.",
  "profile.saved": "Ihre Angaben sind gespeichert.",
  "profile.waiting.title": "Ihr Konto wartet auf Freigabe",
  "profile.waiting.text":
    "Die Verwaltung prüft, ob Sie hier wohnen. Sie müssen nichts tun; diese Seite geht von selbst weiter.",
  "profile.waiting.registered": "Sie haben sich registriert.",
  "profile.waiting.checked": "Die Verwaltung prüft Ihr Konto.",
  "profile.waiting.ready": "Sie können Stellplätze reservieren und eigene teilen.",
  "profile.suspended.title": "Ihr Konto ist nicht mehr freigegeben",
  "profile.suspended.text":
    "Die Verwaltung hat die Freigabe zurückgenommen. Fragen Sie dort nach, wenn Sie nicht wissen, warum. Diese Seite geht von selbst weiter, sobald Sie wieder freigegeben sind.",
  "profile.rejected.title": "Ihr Konto wurde nicht freigegeben",
  "profile.rejected.text":
    "Ist etwas an Ihren Angaben falsch, ändern Sie es: Dann sieht die Verwaltung sie noch einmal an.",
  "profile.erased.title": "Dieses Konto ist geschlossen",
  "profile.erased.text":
    "Seine personenbezogenen Daten wurden gelöscht, und es lässt sich nicht mehr verwenden. Wenden Sie sich an die Verwaltung, wenn Sie hier wohnen.",

  "calendar.title": "Ihr Kalender",
  "calendar.text":
    "Ihre Reservierungen und die Ihrer Stellplätze, auch im Kalender Ihres Telefons oder Computers: die der letzten 90 Tage und alle künftigen, stornierte 30 Tage lang, mit Name und Wohnung der anderen Person.",
  "calendar.since": "Abonniert am {date}. Eine neue Adresse ersetzt die bisherige.",
  "calendar.subscribe": "Abonnieren",
  "calendar.renew": "Neue Adresse erzeugen",
  "calendar.end": "Abonnement beenden",
  "calendar.ended": "Das Abonnement ist beendet. Kalender-Apps lesen nichts mehr.",
  "calendar.download": "Einmal herunterladen",
  "calendar.address": "Adresse für Ihre Kalender-App",
  "calendar.addressHint":
    "Sie wird nur einmal angezeigt. Wer sie kennt, kann Ihren Kalender lesen: Behalten Sie sie für sich.",
  "calendar.open": "In der Kalender-App öffnen",
  "calendar.copied": "Die Adresse ist kopiert.",

  "passkeys.title": "Passkeys",
  "passkeys.text":
    "Mit einem Passkey melden Sie sich per Fingerabdruck, Gesicht oder Gerätecode an, ohne E-Mail. Ein Code per E-Mail geht immer auch.",
  "passkeys.add": "Passkey hinzufügen",
  "passkeys.added": "Der Passkey ist hinzugefügt. Sie bekommen dazu eine E-Mail.",
  "passkeys.known": "Für dieses Gerät gibt es schon einen Passkey.",
  "passkeys.impossible": "Dieser Browser kann keine Passkeys hinzufügen.",
  "passkeys.full": "Sie haben zehn Passkeys. Entfernen Sie einen, um einen anderen hinzuzufügen.",
  "passkeys.device": "Gerät",
  "passkeys.since": "hinzugefügt am {date}",
  "passkeys.used": "zuletzt benutzt {moment}",
  "passkeys.unused": "noch nicht benutzt",
  "passkeys.remove": "Entfernen",
  "passkeys.removeOne": "Passkey {name} entfernen",
  "passkeys.removed": "Der Passkey ist entfernt. Sie bekommen dazu eine E-Mail.",
};
