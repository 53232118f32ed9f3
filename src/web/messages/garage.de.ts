import type { Message } from "./en.ts";
import type { garage as english } from "./garage.en.ts";

/** Die Texte für die Einfahrt und zur Belegung der Garage. */
export const garage: Readonly<Record<keyof typeof english, Message>> = {
  "garage.intro":
    "Jeder Stellplatz und wer ihn hat. Öffnen Sie einen Balken, um eine Reservierung zu stornieren oder eine Zeit für die Person zurückzuziehen.",
  "garage.claimer": "Reserviert von",
  "garage.status": "Reservierung",
  "garage.active": "Aktiv",
  "garage.cancel": "Reservierung stornieren",
  "garage.cancelText": "Beide Seiten lesen, dass sie storniert wurde und warum.",
  "garage.cancelled": "Die Reservierung von {spot} ist storniert.",
  "garage.withdraw": "Zeit zurückziehen",
  "garage.withdrawText":
    "Wem der Stellplatz gehört, liest, dass sie zurückgezogen wurde und warum.",
  "garage.withdrawn": "Die Zeit von {spot} ist zurückgezogen.",
  "garage.someone": "Konto {id}",
  "garage.openOne": "{spot} öffnen, {span}",
  "garage.board": "Belegung",
  "garage.gate": "Wer darf parken",
  "gate.searchHint": "Kennzeichen, Gast, Platz oder Wohnung",
  "gate.at": "Zu diesem Zeitpunkt",
  "gate.owner": "Eigentümer",
  "gate.visits": "{guest}, zu Besuch bei {name}",
  "gate.until": "bis {moment}",
  "gate.overstays": "Noch da ohne Berechtigung",
  "gate.entered": "eingefahren {moment}",
  "gate.ended": "Reservierung endete {moment}",
  "gate.neverClaimed": "keine Reservierung",
  "gate.none": "Niemand gefunden",
  "gate.noneText": "Versuchen Sie einen Teil des Kennzeichens, oder leeren Sie die Suche.",
  "visit.title": "Jetzt frei für Besuch",
  "visit.let": "Hier parken lassen",
  "visit.on": "Hier parken lassen: {spot}",
  "visit.whom": "Zu Besuch bei",
  "visit.whomHint": "Name oder Wohnung. Die Person bekommt die Reservierung und eine Nachricht.",
  "visit.nobody": "Niemand mit diesem Namen oder in dieser Wohnung gefunden.",
  "visit.reason": "Besuch",
  "visit.reasonHint": "Wer besucht wird und wem der Stellplatz gehört, liest das.",
  "visit.done": "{spot} ist bis {until} reserviert für {name}.",
  "visit.undone": "Aus Versehen reserviert",
};
