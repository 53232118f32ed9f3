import type { Language } from "./kinds.ts";

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
  readonly invitation: {
    readonly title: string;
    readonly sentence: (building: string) => string;
    readonly how: (address: string) => string;
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
      sentence: (building) =>
        `You can use the parking spots of ${building} together with your neighbours.`,
      how: (address) => `Open the page and sign in with this address: ${address}`,
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
      sentence: (building) =>
        `Sie können die Stellplätze von ${building} gemeinsam mit Ihrer Nachbarschaft nutzen.`,
      how: (address) =>
        `Öffnen Sie die Seite und melden Sie sich mit dieser Adresse an: ${address}`,
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
