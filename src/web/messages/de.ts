import type { Messages } from "./en.ts";

/**
 * Die Texte der Seite auf Deutsch. Eine Sache hat ein Wort, in allen Dateien *.de.ts und in src/texts/de.ts:
 *
 * - parking spot: Stellplatz (nicht: Platz, Parkplatz); section: Bereich; board: Übersicht
 * - claim: Reservierung, reservieren (nicht: Buchung); cancel: stornieren; finish: beenden
 * - share, window: teilen, geteilte Zeit (nicht: Zeitfenster); withdraw: zurückziehen
 * - pattern: wöchentliche Zeiten; lend: verleihen; wish: warten
 * - register: ein Mensch registriert sich, ein Stellplatz wird eingetragen
 * - approve (an account): freigeben; verify (a spot): bestätigen
 * - remove: entfernen; erase, delete (data): löschen
 * - notification: Nachricht; inbox: Eingang; administrators: die Verwaltung
 */
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
  "app.language": "Sprache",
  "app.optional": "{field} (freiwillig)",
  "app.zone": "Alle Zeiten in {zone}.",

  "app.more": "Mehr zeigen",
  "app.change": "Ändern",
  "app.edit": "Bearbeiten",
  "app.unsaved": "Was Sie eingegeben haben, ist nicht gespeichert. Ohne Speichern gehen?",
  "app.copy": "Kopieren",
  "app.undo": "Rückgängig",

  "time.today": "Heute",
  "time.from": "Von",
  "time.until": "Bis",
  "time.date": "Datum",
  "time.endBeforeStart": "Das Ende muss nach dem Anfang liegen.",
  "time.skipped": "Die Uhren überspringen {time} an diesem Tag. Es gilt {shown}.",
  "time.time": "Uhrzeit",

  "connection.offline": "Sie sind offline. Was Sie sehen, ist vielleicht veraltet.",
  "connection.waiting": "Es waren viele Anfragen. In {count} s geht es weiter.",
  "connection.busy": "Der Dienst hat viel zu tun. In {count} s versucht es die Seite wieder.",
  "connection.outdated": "Es gibt eine neue Fassung dieser Seite.",
  "connection.load": "Laden",

  "error.title": "Das hat nicht geklappt",
  "error.unreachable":
    "Der Dienst antwortet nicht. Prüfen Sie die Verbindung und versuchen Sie es erneut.",
  "error.unexpected": "Etwas ist schiefgegangen. Versuchen Sie es gleich noch einmal.",
  "error.tooMuchUntil":
    "Sie haben so viel getan, wie vorerst erlaubt ist. Weiter geht es {moment}.",
  "error.toStart": "Zur ersten Ansicht",
  "error.broken": "Die Seite kann das nicht zeigen. Vielleicht ist die Adresse unvollständig.",
  "error.anew": "Neu beginnen",
  "error.partMissing":
    "Dieser Teil der Seite konnte nicht geladen werden. Vielleicht gibt es eine neue Version.",
  "error.unknownScreen": "Unter dieser Adresse gibt es nichts.",
  "error.forAdministrators": "Diese Ansicht ist für die Verwaltung.",
  "error.insecure":
    "Diese Adresse ist nicht verschlüsselt, darum erlaubt der Browser keine Anmeldung. Öffnen Sie die Seite mit https oder auf diesem Gerät als localhost.",

  "welcome.title": "Parken, wo gerade frei ist",
  "welcome.text":
    "Nachbarn teilen ihre Stellplätze zu den Zeiten, in denen sie sie nicht brauchen. Finden, reservieren, parken.",
  "welcome.spot": "Melden Sie sich an, um Stellplatz {name} zu sehen.",
  "welcome.find": "Sehen, was jetzt, heute Abend oder morgen frei ist.",
  "welcome.claim": "Mit einem Tipp reservieren: Für diese Zeit gehört der Stellplatz Ihnen.",
  "welcome.share": "Den eigenen Stellplatz teilen, solange Sie weg sind.",
  "welcome.signIn": "Anmelden",

  "signIn.unreachable":
    "Der Anmeldedienst antwortet nicht. Prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal.",
  "signIn.waits": "Diese Seite macht von selbst weiter, sobald er antwortet.",
  "signIn.refused": "Der Anmeldedienst hat abgelehnt.",
  "signIn.unusable":
    "Der Anmeldedienst hat etwas geantwortet, womit diese Seite nichts anfangen kann.",
  "signIn.notAccepted":
    "Sie sind angemeldet, aber der Parkdienst erkennt die Anmeldung nicht an. Wer den Dienst betreibt, findet den Grund in dessen Protokoll.",
  "signIn.forgetful":
    "Ihr Browser speichert nichts für diese Seite, deshalb ist hier keine Anmeldung möglich. Erlauben Sie ihm, Daten (Cookies) zu speichern, oder nehmen Sie einen anderen Browser.",
  "signIn.ended": "Sie haben sich abgemeldet.",
  "signIn.unsaved":
    "Ihre Anmeldung ist abgelaufen. Kopieren Sie, was Sie geschrieben haben, und laden Sie die Seite neu.",
  "signIn.onlyHere":
    "Auf dieser Seite sind Sie abgemeldet. Der Anmeldedienst antwortet nicht, darum sind Sie dort vielleicht noch angemeldet.",

  "account.signOut": "Abmelden",
  "account.tasks": { one: "{count} wartet auf Sie", other: "{count} warten auf Sie" },
  "account.waiting": "Wartet auf Freigabe",
  "account.administrator": "Verwaltung",
  "account.concierge": "Concierge",
  "account.apartment": "Wohnung {number}",

  "inbox.none": "Noch keine Nachrichten",
  "inbox.noneText": "Hier erfahren Sie zum Beispiel, wenn jemand Ihren Stellplatz reserviert.",
  "inbox.new": "Neu:",
  "inbox.open": "Öffnen",
  "inbox.markAll": "Alle als gelesen markieren",
  "inbox.unread": "{count} ungelesen",
  "inbox.news": { one: "Eine neue Nachricht", other: "{count} neue Nachrichten" },

  "board.spot": "Stellplatz",
  "board.section": "Bereich",
  "board.time": "Zeit",
  "board.state": "Status",

  "board.firstDay": "Erster Tag",
  "board.allSections": "Alle Bereiche",

  "slot.free": "Frei",
  "slot.taken": "Belegt",
  "slot.yours": "Ihrer",
  "slot.shared": "Ihr Stellplatz, geteilt",
  "slot.lent": "Ihr Stellplatz, verliehen",
  "slot.kept": "Nicht geteilt",
  "slot.over": "Vorbei",
  "bar.free": "Frei",
  "bar.taken": "Belegt",
  "bar.yours": "Ihrer",
  "bar.shared": "Geteilt",
  "bar.lent": "Verliehen",
  "bar.kept": "Nicht geteilt",
  "bar.over": "Vorbei",

  "claim.claim": "Reservieren",
  "claim.title": "{spot} reservieren",
  "claim.claimOne": "{spot} reservieren, {span}",
  "claim.unverified":
    "Noch nicht bestätigt: Niemand hat geprüft, ob dieser Stellplatz der Person gehört, die ihn teilt.",
  "claim.offered": "Frei {span}",
  "claim.yours": "{spot} ist für Sie reserviert",
  "claim.overlaps": "Sie haben zu dieser Zeit {spot}: {span}. Diesen Stellplatz auch reservieren?",
  "claim.over": "Diese Zeit ist vorbei.",
  "claim.notFree": "Diese Zeit ist nicht ganz frei.",

  "parking.vehicle": "Kennzeichen",
  "parking.guest": "Gast",

  "contact.owner": "Wem gehört der Stellplatz?",
  "contact.claimer": "Wer hat reserviert?",
  "contact.access": "Zugang: {notes}",

  "now.park": "Freie Stellplätze",
  "now.when": "Wann",
  "now.now": "Jetzt",
  "now.tonight": "Heute Abend",
  "now.overnight": "Über Nacht",
  "now.tomorrow": "Morgen",
  "now.other": "Andere Zeit",
  "now.notice": "Reservierungen beginnen hier frühestens ab {from}.",
  "app.asOf": "Stand: {time}",
  "now.free": { one: "{count} Stellplatz ist frei", other: "{count} Stellplätze sind frei" },
  "now.freePartly": ", {count} für einen Teil der Zeit",
  "now.freeUntil": "frei bis {until}",
  "now.partUntil": "bis {until}",
  "now.partFrom": "ab {from}",
  "now.orUntil": " oder bis {until}",
  "now.section": "Welcher Bereich zuerst kommt",
  "now.sectionFirst": "{section} zuerst",
  "now.more": "{count} weitere zeigen",
  "now.others": {
    one: "und {count} weitere Reservierung",
    other: "und {count} weitere Reservierungen",
  },
  "now.noSuchTime": "Die Adresse dieser Seite nennt Zeiten, die es nicht gibt",
  "now.back": "Sehen, was jetzt frei ist",

  "find.find": "Stellplatz finden",
  "find.parts": "Für einen Teil der Zeit frei",
  "find.nothing": "In dieser Zeit ist nichts frei",
  "find.nothingText": "Versuchen Sie andere Zeiten, oder sehen Sie in der Übersicht nach.",
  "find.endBeforeStart": "Das Ende muss nach dem Anfang liegen",

  "wishes.another": "Benachrichtigen, wenn mehr frei wird",

  "claims.coming": "Demnächst",
  "claims.earlier": "Früher",
  "claims.phase.now": "In Gebrauch",
  "claims.phase.coming": "Reserviert",
  "claims.phase.earlier": "Vorbei",
  "claims.status.completed": "Beendet",
  "claims.status.cancelled": "Storniert",
  "claims.none": "Sie haben zurzeit keine Reservierungen",
  "claims.noneText":
    "Sagen Sie, wann Sie einen Stellplatz brauchen, und sehen Sie, welche frei sind.",
  "claims.finish": "Jetzt beenden",
  "claims.finishedOf": "Ihre Zeit auf {spot} ist beendet.",
  "claims.givenBack":
    "Ihre Zeit auf {spot} ist beendet. Die Zeit bis {until} ist wieder im Angebot.",
  "claims.cancel": "Stornieren",
  "claims.cancelSeries": "Diese und alle späteren stornieren",
  "claims.cancelledOf": "{spot}, {span}, ist storniert.",
  "claims.until": "Bis {until} stornierbar.",
  "claims.tooLate": "Nicht mehr stornierbar: Sie beginnt in weniger als {length}.",
  "claims.undoOf": "Rückgängig: {spot}, {span}",
  "claims.again": "{spot}, {span}, gehört wieder Ihnen.",
  "claims.faster": "{spot}, {span}: Jemand war schneller. Sie bekommen die Zeit nicht zurück.",
  "claims.extend": "Ende ändern",
  "claims.hour": "+1 Std.",
  "claims.hourUntil": "+1 Std., bis {until}",
  "claims.restUntil": "Bis {until}",
  "claims.extended": "{spot} gehört Ihnen bis {until}.",
  "claims.next": "Danach frei",
  "claims.nextTaken": "{spot} gehört Ihnen: {span}.",
  "claims.changeTitle": "Reservierung von {spot} ändern",
  "claims.changed": "Die Zeiten sind geändert.",
  "claims.saved": "Ihre Reservierung ist gespeichert.",
  "claims.calendar": "In den Kalender",
  "claims.stranger": "Fremdes Auto",
  "claims.reported": "Gemeldet um {time}",
  "claims.send": "Jemandem schicken",
  "claims.shareText": "Stellplatz {spot} ({section}), {span}",
  "claims.copied": "Kopiert.",
  "claims.more": "Mehr zu {spot}, {span}",
  "claims.left": "noch {length}",
  "claims.begins": "in {length}",
  "claims.gone": "Diese Reservierung gibt es nicht mehr.",
  "claims.all": "Alle Ihre Reservierungen",
  "claims.noneEarlier": "Es gibt noch keine.",
  "claims.youCancelled": "Sie haben sie am {when} storniert.",
  "claims.wasCancelled": "Sie wurde am {when} storniert.",
  "claims.administratorCancelled": "Die Verwaltung hat sie am {when} storniert.",
  "claims.finishedOn": "Beendet am {when}.",
  "claims.reason": "Grund: {reason}",

  "spots.favorite": "Lieblingsplatz: {spot}",
  "spots.unverified": "Noch nicht bestätigt",
  "spots.claimed": "Reserviert",

  "share.share": "Teilen",

  "screen.now": "Jetzt",
  "screen.board": "Übersicht",
  "screen.claims": "Ihre Reservierungen",
  "screen.spots": "Ihre Stellplätze",
  "screen.spot": "Stellplatz {name}",
  "screen.signs": "Schilder mit QR-Codes",
  "screen.inbox": "Eingang",
  "screen.profile": "Profil",
  "screen.waiting": "Zu erledigen",
  "screen.accounts": "Konten",
  "screen.people": "Einladungen",
  "screen.verification": "Stellplätze bestätigen",
  "screen.garage": "Garage",
  "screen.use": "Nutzung der Stellplätze",
  "screen.building": "Gebäude einrichten",
  "screen.webhooks": "Webhooks",
  "screen.keys": "Schlüssel",
  "nav.claims": "Reserviert",
  "nav.spots": "Stellplätze",

  "refusal.not_found": "Das gibt es nicht mehr.",
  "refusal.precondition_failed": "Es hat sich inzwischen geändert.",
  "refusal.invalid_data": "Etwas von dem, was Sie eingegeben haben, lässt sich nicht verwenden.",
  "refusal.validation_failed":
    "Etwas von dem, was Sie eingegeben haben, lässt sich nicht verwenden.",
  "refusal.body_too_large": "Das ist zu viel auf einmal.",
  "refusal.request_timeout": "Das hat zu lange gedauert. Versuchen Sie es noch einmal.",
  "refusal.too_many_requests": "Sie haben in kurzer Zeit sehr viel getan.",
  "refusal.service_unavailable":
    "Der Dienst hat zu viel zu tun. Versuchen Sie es gleich noch einmal.",

  "typed.missing": "{field} fehlt.",
  "typed.longest": "{field}: höchstens {count} Zeichen.",
  "typed.shortest": "{field}: mindestens {count} Zeichen.",
  "typed.least": "{field}: mindestens {count}.",
  "typed.most": "{field}: höchstens {count}.",
  "typed.wrong": "{field}: das lässt sich nicht verwenden.",
};
