import type { Language } from "./kinds.ts";

/** The texts of the pages on which people sign in by mail, and of the mail. */
export type SignInTexts = typeof en;

const en = {
  title: "Sign in",
  /** The name of a building that has none. */
  building: "Parking spots",
  address: "Email address",
  how: "You get an email with a code. You need no password.",
  send: "Send me a code",
  byPasskey: "Sign in with a passkey",
  noPasskey: "This passkey did not work. Try again, or get a code by email.",
  noAddress: "No email can be sent to this address. Please check it.",
  codeTitle: "Enter the code",
  sent: (address: string) => `We are sending a code to ${address}. It is good for ten minutes.`,
  code: "Six-digit code",
  signIn: "Sign in",
  nothingCame: "No email? Look in the spam folder, and check the address above.",
  again: "Send a new code",
  other: "Use another address",
  wrong: "This is not the code. Please check it.",
  ended: "This code can no longer be used. Send a new one.",
  wait: (minutes: number) =>
    `There were too many attempts. Please wait ${minutes === 1 ? "a minute" : `${minutes} minutes`}.`,
  opens: (hours: number) =>
    `Your administration gave you this address. You can sign in with it in ${hours === 1 ? "an hour" : `${hours} hours`}.`,
  busy: "The email cannot be sent right now. Please try again in a minute.",
  leaveTitle: "Sign out?",
  leaveSentence: "You can sign in again at any time.",
  leave: "Sign out",
  stay: "Stay signed in",
  left: "Signed out",
  leftSentence: "You can close this page.",
  failed: "This did not work",
  failedHint: "Please go back and sign in again.",
  signInFirst: "Please sign in on the page first.",
  toPage: "Back to the parking spots",
  /** How long a code lasts. */
  lasts: "It is good for ten minutes, and only in the browser where you asked for it.",
  mail: {
    subject: (code: string, building: string) => `${code} is your code for ${building}`,
    sentence: (building: string) =>
      `With this code you sign in to the parking spots of ${building}:`,
    warning:
      "Do not give it to anybody. If you did not ask for it, you need to do nothing: nobody can sign in without the code.",
  },
  /** A person changes the address. */
  change: {
    title: "Change the address",
    current: (address: string) => `You sign in with ${address}.`,
    newAddress: "New email address",
    how: "Both addresses get an email with a code.",
    send: "Send the codes",
    back: "Back to your profile",
    isTheSame: "This is already your address.",
    codesTitle: "Enter both codes",
    sent: "We are sending a code to each address. The codes are good for ten minutes.",
    codeOf: (address: string) => `Code in the email to ${address}`,
    noMailbox:
      "You can no longer read the emails to your old address? Your administration can give you another one.",
    again: "Send new codes",
    wrong: "At least one of the codes is not right. Please check both.",
    isTaken:
      "This address belongs to another account. If that is yours too, ask your administration to erase one of the two.",
    done: "The address is changed",
    doneSentence: (address: string) =>
      `From now on you sign in with ${address}. On your other devices you are signed out.`,
    mail: {
      subject: (code: string, building: string) =>
        `${code} is your code for a new address in ${building}`,
      sentence: (building: string) =>
        `With this code you change the address with which you sign in to the parking spots of ${building}:`,
      warning:
        "Do not give it to anybody. If you did not ask for it, somebody may use your account: sign in and tell your administration.",
    },
  },
  /** A person signs out in all other browsers. */
  elsewhere: {
    title: "Sign out everywhere else",
    since: "Other browsers are signed in as you, since:",
    nobody: "No other browser is signed in as you.",
    how: "Did you lose your phone? Sign it out here. What is open there works for another hour at most. This browser stays signed in.",
    passkeys:
      "A passkey on a lost phone still signs in. Remove it in your profile first, then sign out here.",
    done: "Signed out everywhere else",
    doneSentence:
      "You are now signed in only in this browser. What is open elsewhere works for another hour at most.",
    mail: (building: string) => `You were signed out of ${building} in all browsers but one.`,
    warning:
      "You did this yourself. If it was not you, sign in by mail and sign out everywhere else.",
  },
  /** The mail that says that somebody has one passkey more, or less. */
  passkeyMail: {
    added: (name: string, building: string) =>
      `You can now sign in to ${building} with the passkey “${name}”.`,
    removed: (name: string, building: string) =>
      `The passkey “${name}” no longer signs you in to ${building}.`,
    warning:
      "This was done in your profile. If it was not you, sign in with a code and look at the passkeys in your profile.",
  },
};

const de: SignInTexts = {
  title: "Anmelden",
  building: "Stellplätze",
  address: "E-Mail-Adresse",
  how: "Sie bekommen eine E-Mail mit einem Code. Ein Passwort brauchen Sie nicht.",
  send: "Code schicken",
  byPasskey: "Mit Passkey anmelden",
  noPasskey:
    "Dieser Passkey hat nicht funktioniert. Versuchen Sie es noch einmal, oder lassen Sie sich einen Code schicken.",
  noAddress: "An diese Adresse lässt sich keine E-Mail schicken. Bitte prüfen Sie sie.",
  codeTitle: "Code eingeben",
  sent: (address) => `Wir schicken einen Code an ${address}. Er gilt zehn Minuten.`,
  code: "Sechsstelliger Code",
  signIn: "Anmelden",
  nothingCame: "Keine E-Mail da? Sehen Sie im Spam-Ordner nach und prüfen Sie die Adresse oben.",
  again: "Neuen Code schicken",
  other: "Andere Adresse verwenden",
  wrong: "Das ist nicht der Code. Bitte prüfen Sie ihn.",
  ended: "Dieser Code gilt nicht mehr. Lassen Sie sich einen neuen schicken.",
  wait: (minutes) =>
    `Das waren zu viele Versuche. Bitte warten Sie ${minutes === 1 ? "eine Minute" : `${minutes} Minuten`}.`,
  opens: (hours) =>
    `Diese Adresse hat Ihnen Ihre Verwaltung gegeben. Sie können sich damit in ${hours === 1 ? "einer Stunde" : `${hours} Stunden`} anmelden.`,
  busy: "Die E-Mail kann gerade nicht verschickt werden. Bitte versuchen Sie es in einer Minute noch einmal.",
  leaveTitle: "Abmelden?",
  leaveSentence: "Sie können sich jederzeit wieder anmelden.",
  leave: "Abmelden",
  stay: "Angemeldet bleiben",
  left: "Abgemeldet",
  leftSentence: "Sie können diese Seite schließen.",
  failed: "Das hat nicht geklappt",
  failedHint: "Bitte gehen Sie zurück und melden Sie sich noch einmal an.",
  signInFirst: "Bitte melden Sie sich zuerst auf der Seite an.",
  toPage: "Zurück zu den Stellplätzen",
  lasts: "Er gilt zehn Minuten und nur in dem Browser, in dem Sie ihn angefordert haben.",
  mail: {
    subject: (code, building) => `${code} ist Ihr Code für ${building}`,
    sentence: (building) =>
      `Mit diesem Code melden Sie sich bei den Stellplätzen von ${building} an:`,
    warning:
      "Geben Sie ihn nicht weiter. Wenn Sie ihn nicht angefordert haben, müssen Sie nichts tun: Ohne den Code kann sich niemand anmelden.",
  },
  change: {
    title: "Adresse ändern",
    current: (address) => `Sie melden sich mit ${address} an.`,
    newAddress: "Neue E-Mail-Adresse",
    how: "An beide Adressen geht eine E-Mail mit einem Code.",
    send: "Codes schicken",
    back: "Zurück zum Profil",
    isTheSame: "Diese Adresse haben Sie schon.",
    codesTitle: "Beide Codes eingeben",
    sent: "Wir schicken an jede Adresse einen Code. Die Codes gelten zehn Minuten.",
    codeOf: (address) => `Code aus der E-Mail an ${address}`,
    noMailbox:
      "Sie können die E-Mails an Ihre alte Adresse nicht mehr lesen? Ihre Verwaltung kann Ihnen eine andere geben.",
    again: "Neue Codes schicken",
    wrong: "Mindestens einer der Codes stimmt nicht. Bitte prüfen Sie beide.",
    isTaken:
      "Diese Adresse gehört zu einem anderen Konto. Ist das auch Ihres, bitten Sie Ihre Verwaltung, eines der beiden zu löschen.",
    done: "Die Adresse ist geändert",
    doneSentence: (address) =>
      `Ab jetzt melden Sie sich mit ${address} an. Auf Ihren anderen Geräten sind Sie abgemeldet.`,
    mail: {
      subject: (code, building) => `${code} ist Ihr Code für eine neue Adresse in ${building}`,
      sentence: (building) =>
        `Mit diesem Code ändern Sie die Adresse, mit der Sie sich bei den Stellplätzen von ${building} anmelden:`,
      warning:
        "Geben Sie ihn nicht weiter. Wenn Sie ihn nicht angefordert haben, benutzt vielleicht jemand Ihr Konto: Melden Sie sich an und sagen Sie Ihrer Verwaltung Bescheid.",
    },
  },
  elsewhere: {
    title: "Überall sonst abmelden",
    since: "Sie sind auch in anderen Browsern angemeldet, seit:",
    nobody: "Sie sind in keinem anderen Browser angemeldet.",
    how: "Haben Sie Ihr Handy verloren? Hier melden Sie es ab. Was dort offen ist, funktioniert noch höchstens eine Stunde. In diesem Browser bleiben Sie angemeldet.",
    passkeys:
      "Mit einem Passkey auf dem verlorenen Handy kann man sich weiter anmelden. Entfernen Sie ihn zuerst in Ihrem Profil und melden Sie sich dann hier ab.",
    done: "Überall sonst abgemeldet",
    doneSentence:
      "Sie sind jetzt nur noch in diesem Browser angemeldet. Was anderswo offen ist, funktioniert noch höchstens eine Stunde.",
    mail: (building) => `Sie wurden bei ${building} in allen Browsern bis auf einen abgemeldet.`,
    warning:
      "Das haben Sie selbst getan. Wenn Sie es nicht waren: Melden Sie sich mit einem Code an und melden Sie dann alle anderen Browser ab.",
  },
  passkeyMail: {
    added: (name, building) =>
      `Sie können sich jetzt mit dem Passkey „${name}“ bei ${building} anmelden.`,
    removed: (name, building) =>
      `Mit dem Passkey „${name}“ können Sie sich nicht mehr bei ${building} anmelden.`,
    warning:
      "Das wurde in Ihrem Profil geändert. Wenn Sie es nicht waren: Melden Sie sich mit einem Code an und sehen Sie sich die Passkeys in Ihrem Profil an.",
  },
};

export const signInTexts: Readonly<Record<Language, SignInTexts>> = { en, de };
