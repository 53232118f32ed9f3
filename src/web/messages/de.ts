import type { Messages } from "./en.ts";

/** Die Texte der Seite auf Deutsch. */
export const de: Messages = {
  "app.name": "Parken",
  "app.skip": "Zum Inhalt",
  "app.loading": "Wird geladen",
  "app.retry": "Erneut versuchen",
  "app.close": "Schließen",
  "app.cancel": "Abbrechen",
  "app.save": "Speichern",
  "app.menu": "Konto und mehr",
  "app.main": "Hauptmenü",
  "app.administration": "Verwaltung",
  "app.zone": "Alle Zeiten in {zone}.",

  "app.undo": "Rückgängig",

  "time.today": "Heute",
  "time.from": "Von",
  "time.until": "Bis",
  "time.date": "Datum",
  "time.time": "Uhrzeit",

  "connection.offline": "Sie sind offline. Was Sie sehen, ist vielleicht veraltet.",
  "connection.waiting": "Es waren viele Anfragen. In {count} s geht es weiter.",

  "error.title": "Das hat nicht geklappt",
  "error.unreachable":
    "Der Dienst antwortet nicht. Prüfen Sie die Verbindung und versuchen Sie es erneut.",
  "error.unexpected": "Etwas ist schiefgegangen. Versuchen Sie es gleich noch einmal.",
  "error.unknownScreen": "Unter dieser Adresse gibt es nichts.",
  "error.forAdministrators": "Diese Ansicht ist für die Verwaltung.",
  "error.insecure":
    "Diese Adresse ist nicht verschlüsselt, darum erlaubt der Browser keine Anmeldung. Öffnen Sie die Seite mit https oder auf diesem Gerät als localhost.",

  "welcome.title": "Parken, wo gerade frei ist",
  "welcome.text":
    "Nachbarn teilen ihre Stellplätze zu den Zeiten, in denen sie sie nicht brauchen. Finden, reservieren, parken.",
  "welcome.signIn": "Anmelden",
  "welcome.failed": "Die Anmeldung hat nicht geklappt: {reason}",

  "account.signOut": "Abmelden",
  "account.waiting": "Wartet auf Freigabe",
  "account.administrator": "Verwaltung",
  "account.apartment": "Wohnung {number}",

  "inbox.unread": { one: "{count} ungelesen", other: "{count} ungelesen" },

  "board.spot": "Stellplatz",
  "board.section": "Bereich",
  "board.time": "Zeit",
  "board.state": "Zustand",
  "board.empty": "Es gibt noch keine Stellplätze",

  "board.emptyText": "Machen Sie den Anfang: Tragen Sie Ihren Stellplatz unter Plätze ein.",
  "board.noneFree": "In dieser Zeit ist nichts frei",
  "board.nothing": "In dieser Zeit nicht geteilt",
  "board.days": "Zeitraum",
  "board.span": { one: "Tag", other: "{count} Tage" },
  "board.firstDay": "Erster Tag",
  "board.earlier": "Früher",
  "board.later": "Später",
  "board.onlyFree": "Nur Freies",
  "board.allSections": "Alle Bereiche",
  "board.view": "Ansicht",
  "board.asBoard": "Plan",
  "board.asTable": "Tabelle",
  "board.slot": "{spot}: {state}, {span}",

  "slot.free": "Frei",
  "slot.taken": "Belegt",
  "slot.yours": "Ihrer",
  "slot.shared": "Ihr Platz, geteilt",
  "slot.lent": "Ihr Platz, verliehen",
  "slot.over": "Vorbei",
  "bar.free": "Frei",
  "bar.taken": "Belegt",
  "bar.yours": "Ihrer",
  "bar.shared": "Geteilt",
  "bar.lent": "Verliehen",
  "bar.over": "Vorbei",

  "claim.claim": "Reservieren",
  "claim.title": "{spot} reservieren",
  "claim.offered": "Frei {span}",
  "claim.done": "{spot} gehört Ihnen, {span}.",
  "claim.gone": "Inzwischen hat ihn jemand anderes reserviert.",

  "profile.yours": "Ihre Angaben",
  "profile.apartment": "Wohnung",
  "profile.name": "Vor- und Nachname",
  "profile.phone": "Telefonnummer",
  "profile.register": "Registrieren",
  "profile.register.text":
    "Willkommen! Geben Sie an, welche Wohnung Ihre ist. Danach gibt die Verwaltung Ihr Konto frei.",
  "profile.registered": "Sie sind registriert.",
  "profile.saved": "Ihre Angaben sind gespeichert.",
  "profile.waiting.title": "Ihr Konto wartet auf Freigabe",
  "profile.waiting.text":
    "Die Verwaltung prüft, ob Sie hier wohnen. Sie müssen nichts tun; diese Seite geht von selbst weiter.",
  "profile.waiting.registered": "Sie haben sich registriert.",
  "profile.waiting.checked": "Die Verwaltung prüft Ihr Konto.",
  "profile.waiting.ready": "Sie können Stellplätze reservieren und eigene teilen.",

  "screen.board": "Übersicht",
  "screen.find": "Suchen",
  "screen.claims": "Ihre Reservierungen",
  "screen.spots": "Ihre Stellplätze",
  "screen.inbox": "Mitteilungen",
  "screen.profile": "Profil",
  "screen.accounts": "Konten",
  "screen.verification": "Zu prüfende Stellplätze",
  "screen.garage": "Garage",
  "screen.use": "Nutzung",
  "screen.building": "Gebäude",
  "nav.claims": "Gebucht",
  "nav.spots": "Plätze",
};
