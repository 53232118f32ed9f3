/** The texts of the profile: about the person, the account, and the person's calendar. */
export const messages = {
  "profile.yours": "Your details",
  "profile.apartment": "Apartment",
  "profile.name": "Full name",
  "profile.phone": "Phone number",
  "profile.vehicle": "Usual number plate",
  "profile.vehicleHint": "Proposed when you claim a spot.",
  "profile.data": "Your data",
  "profile.dataText": "All that the service holds about you, in one file (JSON).",
  "profile.download": "Download my data",
  "profile.sharesPhone": "Show my phone number to neighbours with whom I share a claim",
  "profile.register": "Register",
  "profile.register.text":
    "Welcome! Say which apartment is yours; all else is optional. If you are invited, you can begin at once; otherwise an administrator of the building approves your account.",
  "profile.register.spots": "With your registration you get: {spots}",
  "profile.registered": "You are registered.",
  "profile.saved": "Your details are saved.",
  "profile.waiting.title": "Your account waits for approval",
  "profile.waiting.text":
    "An administrator of the building checks that you live here. You need to do nothing; this page goes on by itself.",
  "profile.waiting.registered": "You have registered.",
  "profile.waiting.checked": "An administrator checks your account.",
  "profile.waiting.ready": "You can claim spots and share your own.",
  "profile.suspended.title": "Your account is no longer approved",
  "profile.suspended.text":
    "An administrator of the building took the approval back. Ask them if you do not know why. This page goes on by itself once you are approved again.",
  "profile.rejected.title": "Your account was not approved",
  "profile.rejected.text":
    "If something in your details is wrong, change it: then an administrator looks at them again.",
  "profile.erased.title": "This account is closed",
  "profile.erased.text":
    "Its personal data was erased, and it can no longer be used. Ask an administrator of the building if you live here.",

  "calendar.title": "Your calendar",
  "calendar.text":
    "Your claims and those of your spots, also in the calendar of your phone or computer: from 90 days ago on, cancelled ones for 30 days, with the name and apartment of the other person.",
  "calendar.since": "Subscribed on {date}. A new address ends the one before.",
  "calendar.subscribe": "Subscribe",
  "calendar.renew": "Make a new address",
  "calendar.end": "End the subscription",
  "calendar.ended": "The subscription has ended. Calendar apps read nothing any more.",
  "calendar.download": "Download once",
  "calendar.address": "Address for your calendar app",
  "calendar.addressHint":
    "It is shown only now. Who knows it can read your calendar: keep it to yourself.",
  "calendar.open": "Open in the calendar app",
  "calendar.copied": "The address is copied.",
} as const;
