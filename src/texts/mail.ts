import type { Language } from "./kinds.ts";

/** The texts of a mail to somebody who has no account yet. */
interface InvitationTexts {
  readonly title: string;
  readonly paragraphs: (building: string, address: string) => readonly string[];
}

/** The texts of mails besides those about what happened. */
export interface MailTexts {
  /** The subject for a kind without a title. */
  readonly news: string;
  readonly open: string;
  readonly zone: (zone: string) => string;
  readonly building: (name: string) => string;
  readonly choose: string;
  readonly unsubscribe: string;
  readonly apartment: (number: string) => string;
  readonly andMore: (count: number) => string;
  readonly invitation: InvitationTexts;
  /** The invitation of the first administrator. */
  readonly administrator: InvitationTexts;
  /** Mails about the address with which somebody signs in. */
  readonly address: {
    readonly title: string;
    readonly given: (building: string, address: string, from: string) => string;
    readonly reason: (reason: string) => string;
    readonly keep: string;
    readonly nothingToDo: (from: string) => string;
    readonly changed: (building: string, address: string) => string;
    readonly notYou: string;
    readonly welcome: string;
    readonly kept: (building: string, old: string, address: string) => string;
  };
  readonly ending: {
    readonly title: string;
    readonly question: string;
    readonly button: string;
    readonly done: string;
    readonly unknown: string;
  };
}

export const mailTexts: Readonly<Record<Language, MailTexts>> = {
  en: {
    news: "News about parking",
    open: "Open",
    zone: (zone) => `All times are in ${zone}.`,
    building: (name) => `Parking in ${name}`,
    choose: "Choose which mails you get:",
    unsubscribe: "End all of these mails:",
    apartment: (number) => `apartment ${number}`,
    andMore: (count) => `and ${count} more`,
    invitation: {
      title: "You are invited to share parking spots",
      paragraphs: (building, address) => [
        `You can use the parking spots of ${building} together with your neighbours.`,
        `Open the page and sign in with this address: ${address}`,
      ],
    },
    administrator: {
      title: "You look after the parking spots",
      paragraphs: (building, address) => [
        `You look after the parking spots of ${building} as its administrator.`,
        `Open the page, sign in with this address and register within two weeks: ${address}`,
        "Then give the building its name, colour and time zone under “Building settings”, and invite your neighbours under “Invitations”. Those you invite need no approval.",
      ],
    },
    address: {
      title: "Your sign-in address",
      given: (building, address, from) =>
        `The administration of ${building} has given your account another address: ${address}. You can sign in with it from ${from} on.`,
      reason: (reason) => `Reason: ${reason}`,
      keep: "If this is wrong, sign out before then and sign in again with the address that you have had until now. Then nothing changes.",
      nothingToDo: (from) =>
        `A code from an email to this address signs you in from ${from} on, not before.`,
      changed: (building, address) => `Your account in ${building} now has the address ${address}.`,
      notYou:
        "This address no longer signs you in. If you did not want this, tell your administration at once.",
      welcome: "From now on you sign in with this address.",
      kept: (building, old, address) =>
        `Somebody has signed in to ${building} with ${old} after you gave this person the address ${address}. So nothing changes: they can still read their emails, or did not want the new address.`,
    },
    ending: {
      title: "End mails",
      question: "Do you want no more mails about parking?",
      button: "End all mails",
      done: "You get no more mails. You can change this in your profile.",
      unknown: "This address is not valid.",
    },
  },
  de: {
    news: "Neues vom Parken",
    open: "Öffnen",
    zone: (zone) => `Alle Zeiten in ${zone}.`,
    building: (name) => `Parken in ${name}`,
    choose: "Wählen, welche E-Mails Sie bekommen:",
    unsubscribe: "Alle diese E-Mails beenden:",
    apartment: (number) => `Wohnung ${number}`,
    andMore: (count) => `und ${count} weitere`,
    invitation: {
      title: "Sie sind eingeladen, Stellplätze zu teilen",
      paragraphs: (building, address) => [
        `Sie können die Stellplätze von ${building} gemeinsam mit Ihrer Nachbarschaft nutzen.`,
        `Öffnen Sie die Seite und melden Sie sich mit dieser Adresse an: ${address}`,
      ],
    },
    administrator: {
      title: "Sie verwalten die Stellplätze",
      paragraphs: (building, address) => [
        `Sie verwalten die Stellplätze von ${building}.`,
        `Öffnen Sie die Seite, melden Sie sich mit dieser Adresse an und registrieren Sie sich innerhalb von zwei Wochen: ${address}`,
        "Geben Sie dann dem Gebäude unter „Gebäude einrichten“ Namen, Farbe und Zeitzone und laden Sie unter „Einladungen“ Ihre Nachbarschaft ein. Wen Sie einladen, der muss nicht mehr freigegeben werden.",
      ],
    },
    address: {
      title: "Ihre Adresse zum Anmelden",
      given: (building, address, from) =>
        `Die Verwaltung von ${building} hat Ihrem Konto eine andere Adresse gegeben: ${address}. Damit können Sie sich ab ${from} anmelden.`,
      reason: (reason) => `Grund: ${reason}`,
      keep: "Stimmt das nicht? Dann melden Sie sich vorher einmal ab und mit Ihrer bisherigen Adresse wieder an. Damit bleibt alles, wie es ist.",
      nothingToDo: (from) =>
        `Ein Code aus einer E-Mail an diese Adresse gilt erst ab ${from}, nicht vorher.`,
      changed: (building, address) => `Ihr Konto in ${building} hat jetzt die Adresse ${address}.`,
      notYou:
        "Mit der bisherigen Adresse können Sie sich nicht mehr anmelden. Wenn Sie das nicht wollten, sagen Sie sofort Ihrer Verwaltung Bescheid.",
      welcome: "Ab jetzt melden Sie sich mit dieser Adresse an.",
      kept: (building, old, address) =>
        `Jemand hat sich in ${building} mit ${old} angemeldet, nachdem Sie dieser Person die Adresse ${address} gegeben haben. Es bleibt deshalb alles, wie es ist: Die Person kann ihre E-Mails noch lesen oder wollte die neue Adresse nicht.`,
    },
    ending: {
      title: "E-Mails beenden",
      question: "Möchten Sie keine E-Mails mehr über das Parken bekommen?",
      button: "Alle E-Mails beenden",
      done: "Sie bekommen keine E-Mails mehr. Im Profil können Sie das ändern.",
      unknown: "Diese Adresse ist nicht gültig.",
    },
  },
};
