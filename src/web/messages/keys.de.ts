import type { Message } from "./en.ts";
import type { keys as english } from "./keys.en.ts";

/** Die Texte der Schlüssel auf Deutsch. */
export const keys: Readonly<Record<keyof typeof english, Message>> = {
  "keys.intro":
    "Eine Maschine, zum Beispiel die Schranke der Garage, arbeitet mit einem Schlüssel. Sie darf, was hier gewählt ist, und sonst nichts.",
  "keys.none": "Keine Maschine hat einen Schlüssel",
  "keys.noneText":
    "Legen Sie einen für eine Schranke an, oder für ein Programm, das die Berichte liest.",
  "keys.add": "Schlüssel anlegen",
  "keys.addNow": "Anlegen",
  "keys.added": "Der Schlüssel ist angelegt. Sein Geheimnis wird nur jetzt angezeigt.",
  "keys.all": "Alle Schlüssel",
  "keys.nameHint": "Für welche Maschine er ist.",
  "keys.what": "Was die Maschine darf",
  "keys.scope.gate": "An der Schranke fragen, wer hineindarf",
  "keys.scope.reports": "Die Berichte lesen",
  "keys.scope.events": "Alles mitlesen, was geschieht",
  "keys.secretHint":
    "Es wird nur jetzt angezeigt. Tragen Sie es in die Einstellungen der Maschine ein.",
  "keys.until": "bis {date}",
  "keys.maker": "angelegt von {name}",
  "keys.ended": "Abgelaufen",
  "keys.delete": "Entziehen",
  "keys.deleteText":
    "Die Maschine kann damit nichts mehr tun. Das lässt sich nicht rückgängig machen.",
  "keys.deleteNow": "Endgültig entziehen",
  "keys.deleted": "Der Schlüssel {name} ist entzogen.",
};
