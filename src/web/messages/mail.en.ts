/** The English texts of notifications and mails, and of the choice of mails. */
export { en as texts } from "../../texts/en.ts";

export const messages = {
  "push.title": "On this device",
  "push.text":
    "You are told at once, also while the page is closed. It says which spot and when, but no names and no codes: others may see your screen.",
  "push.begin": "Tell me on this device",
  "push.isOn": "This device tells you.",
  "push.begun": "From now on this device tells you.",
  "push.end": "Tell me no longer",
  "push.ended": "This device tells you nothing any more.",
  "push.denied":
    "This browser does not let the page tell you anything. Allow notifications for this page in the settings of the browser, and come back.",
  "push.install":
    "On an iPhone or iPad, this needs the page on the home screen: tap Share, then Add to Home Screen. Open it from there and come back to your profile.",
  "push.missing": "This browser cannot tell you anything while the page is closed.",
  "push.others": {
    one: "Another device of yours tells you, too.",
    other: "{count} other devices of yours tell you, too.",
  },
  "push.endOthers": "Not on my other devices",
  "push.othersEnded": "Your other devices tell you nothing any more.",
  "push.which": "What your devices tell you",
  "push.kinds": "Kinds of notifications",
  "push.save": "Save choice for devices",
  "push.saved": "Your choice for devices is saved.",

  "mail.title": "Mail",
  "mail.text":
    "What your inbox says, and reminders, also by mail. Each mail has a link that ends all of them.",
  "mail.which": "What you get by mail",
  "mail.asBuilding": "What the building proposes",
  "mail.own": "What I choose",
  "mail.nothing": "Nothing",
  "mail.kinds": "Kinds of mail",
  "mail.language": "Language of the mails",
  "mail.asBuildingLanguage": "As the building has it",
  "mail.asBuildingIs": "As the building has it: {value}",
  "mail.en": "English",
  "mail.de": "German",
  "mail.remind": "How long before a claim begins and ends you are reminded, in minutes",
  "mail.remindHint": "Empty: as the building has it.",
  "mail.remindHintIs": "Empty: as the building has it, {length}.",
  "mail.save": "Save mail choices",
  "mail.saved": "Your choice of mails is saved.",
} as const;
