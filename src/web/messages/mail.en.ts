/** The English texts of notifications and mails, and of the choice of mails. */
export { en as texts } from "../../texts/en.ts";

export const messages = {
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
