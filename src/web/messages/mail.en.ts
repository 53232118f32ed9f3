/** The English texts of notifications and mails, and of the choice of mails. */
export { en as texts } from "../../texts/en.ts";

export const messages = {
  "push.title": "Notifications on this device",
  "push.text":
    "You are told at once, also while the page is closed. A notification says which spot and when, but no names and no codes: others may see your screen.",
  "push.begin": "Tell me on this device",
  "push.isOn": "You get notifications on this device.",
  "push.begun": "From now on you are told here.",
  "push.end": "Turn off on this device",
  "push.ended": "You get no more notifications on this device.",
  "push.denied":
    "This browser blocks notifications of this page. Allow them in the settings of the browser, and come back.",
  "push.install":
    "On an iPhone or iPad, this needs the page on the home screen: tap Share, then Add to Home Screen. Open it from there and come back to your profile.",
  "push.missing": "This browser cannot show notifications while the page is closed.",
  "push.others": {
    one: "You also get them on another device.",
    other: "You also get them on {count} other devices.",
  },
  "push.endOthers": "Turn off on my other devices",
  "push.othersEnded": "You get no more notifications on your other devices.",
  "push.which": "What you are told on your devices",
  "push.kinds": "Kinds of notifications",
  "push.save": "Save notification choices",
  "push.saved": "Your choice of notifications is saved.",

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
