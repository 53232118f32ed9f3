/** The English texts of notifications and mails, and of the choice of mails. */
export { en as texts } from "../../texts/en.ts";

export const messages = {
  "mail.title": "Email",
  "mail.text":
    "Messages from your inbox, and reminders, by email too. Each email has a link that stops all of them.",
  "mail.which": "What you get by email",
  "mail.asBuilding": "What the building suggests",
  "mail.own": "What I choose",
  "mail.nothing": "Nothing",
  "mail.kinds": "Kinds of email",
  "mail.language": "Language of the emails",
  "mail.asBuildingLanguage": "The building's default",
  "mail.asBuildingIs": "The building's default: {value}",
  "mail.en": "English",
  "mail.de": "German",
  "mail.remind": "How long before a claim begins and ends you are reminded",
  "mail.remindHint": "Leave empty for the building's default.",
  "mail.remindHintIs": "Leave empty for the building's default: {length}.",
  "mail.unit": "{field}: unit",
  "mail.save": "Save email choices",
  "mail.saved": "Your email choices are saved.",
} as const;
