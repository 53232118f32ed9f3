import type { Language } from "./kinds.ts";

/** The texts of the pages on which people sign in by mail, and of the mail. */
export interface SignInTexts {
  readonly title: string;
  /** The name of a building that has none. */
  readonly building: string;
  readonly address: string;
  readonly how: string;
  readonly send: string;
  readonly byPasskey: string;
  readonly noPasskey: string;
  readonly noAddress: string;
  readonly codeTitle: string;
  readonly sent: (address: string) => string;
  readonly code: string;
  readonly signIn: string;
  readonly nothingCame: string;
  readonly again: string;
  readonly other: string;
  readonly wrong: string;
  readonly ended: string;
  readonly wait: (minutes: number) => string;
  readonly busy: string;
  readonly leaveTitle: string;
  readonly leaveSentence: string;
  readonly leave: string;
  readonly stay: string;
  readonly left: string;
  readonly leftSentence: string;
  readonly failed: string;
  readonly failedHint: string;
  readonly toPage: string;
  readonly mail: {
    readonly subject: (code: string, building: string) => string;
    readonly sentence: (building: string) => string;
    readonly lasts: string;
    readonly warning: string;
  };
  /** The mail that says that somebody has one passkey more, or less. */
  readonly passkeyMail: {
    readonly added: (name: string, building: string) => string;
    readonly removed: (name: string, building: string) => string;
    readonly warning: string;
  };
}

export const signInTexts: Readonly<Record<Language, SignInTexts>> = {
  en: {
    title: "Sign in",
    building: "Parking spots",
    address: "E-mail address",
    how: "You get a mail with a code. You need no password.",
    send: "Send me a code",
    byPasskey: "Sign in with a passkey",
    noPasskey: "This passkey did not work. Try again, or get a code by mail.",
    noAddress: "This is not an e-mail address that can get mail.",
    codeTitle: "Enter the code",
    sent: (address) => `We are sending a code to ${address}. It is good for ten minutes.`,
    code: "Code of six digits",
    signIn: "Sign in",
    nothingCame: "No mail? Look in the spam folder, and check the address above.",
    again: "Send a new code",
    other: "Use another address",
    wrong: "This is not the code. Please check it.",
    ended: "This code can no longer be used. Send a new one.",
    wait: (minutes) =>
      `There were too many attempts. Please wait ${minutes === 1 ? "a minute" : `${minutes} minutes`}.`,
    busy: "The mail cannot be sent right now. Please try again in a minute.",
    leaveTitle: "Sign out?",
    leaveSentence: "You can sign in again at any time.",
    leave: "Sign out",
    stay: "Stay signed in",
    left: "Signed out",
    leftSentence: "You can close this page.",
    failed: "This did not work",
    failedHint: "Go back to the page and sign in again.",
    toPage: "To the page",
    mail: {
      subject: (code, building) => `${code} is your code for ${building}`,
      sentence: (building) => `With this code you sign in to the parking spots of ${building}:`,
      lasts: "It is good for ten minutes, and only in the browser where you asked for it.",
      warning:
        "Give it to nobody. If you did not ask for it, you need to do nothing: nobody can sign in without the code.",
    },
    passkeyMail: {
      added: (name, building) => `You can now sign in to ${building} with the passkey “${name}”.`,
      removed: (name, building) => `The passkey “${name}” no longer signs you in to ${building}.`,
      warning:
        "You did this in your profile. If it was not you, sign in by mail and look at the passkeys in your profile.",
    },
  },
  de: {
    title: "Anmelden",
    building: "Stellplätze",
    address: "E-Mail-Adresse",
    how: "Sie bekommen eine E-Mail mit einem Code. Ein Passwort brauchen Sie nicht.",
    send: "Code schicken",
    byPasskey: "Mit Passkey anmelden",
    noPasskey:
      "Dieser Passkey hat nicht funktioniert. Versuchen Sie es noch einmal, oder lassen Sie sich einen Code schicken.",
    noAddress: "An diese Adresse kann keine E-Mail gehen.",
    codeTitle: "Code eingeben",
    sent: (address) => `Wir schicken einen Code an ${address}. Er gilt zehn Minuten.`,
    code: "Code mit sechs Ziffern",
    signIn: "Anmelden",
    nothingCame: "Keine E-Mail da? Sehen Sie im Spam-Ordner nach und prüfen Sie die Adresse oben.",
    again: "Neuen Code schicken",
    other: "Andere Adresse verwenden",
    wrong: "Das ist nicht der Code. Bitte prüfen Sie ihn.",
    ended: "Dieser Code gilt nicht mehr. Lassen Sie sich einen neuen schicken.",
    wait: (minutes) =>
      `Das waren zu viele Versuche. Bitte warten Sie ${minutes === 1 ? "eine Minute" : `${minutes} Minuten`}.`,
    busy: "Die E-Mail kann gerade nicht verschickt werden. Bitte versuchen Sie es in einer Minute noch einmal.",
    leaveTitle: "Abmelden?",
    leaveSentence: "Sie können sich jederzeit wieder anmelden.",
    leave: "Abmelden",
    stay: "Angemeldet bleiben",
    left: "Abgemeldet",
    leftSentence: "Sie können diese Seite schließen.",
    failed: "Das hat nicht geklappt",
    failedHint: "Gehen Sie zurück zur Seite und melden Sie sich noch einmal an.",
    toPage: "Zur Seite",
    mail: {
      subject: (code, building) => `${code} ist Ihr Code für ${building}`,
      sentence: (building) =>
        `Mit diesem Code melden Sie sich bei den Stellplätzen von ${building} an:`,
      lasts: "Er gilt zehn Minuten und nur in dem Browser, in dem Sie ihn angefordert haben.",
      warning:
        "Geben Sie ihn niemandem. Wenn Sie ihn nicht angefordert haben, müssen Sie nichts tun: Ohne den Code kann sich niemand anmelden.",
    },
    passkeyMail: {
      added: (name, building) =>
        `Sie können sich jetzt mit dem Passkey „${name}“ bei ${building} anmelden.`,
      removed: (name, building) =>
        `Mit dem Passkey „${name}“ können Sie sich nicht mehr bei ${building} anmelden.`,
      warning:
        "Das haben Sie in Ihrem Profil so eingestellt. Wenn Sie es nicht waren: Melden Sie sich mit einem Code an und sehen Sie sich die Passkeys in Ihrem Profil an.",
    },
  },
};
