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
