/** The texts of the profile: about the person, the account, and the person's calendar. */
export const messages = {
  "profile.changeAddress": "Change the address",
  "profile.signOutElsewhere": "Sign out everywhere else",
  "profile.yours": "Your details",
  "profile.apartment": "Apartment",
  "profile.name": "Full name",
  "profile.phone": "Phone number",
  "profile.phoneHint":
    "The house management sees it, and so does the concierge when you claim a spot.",
  "profile.vehicle": "Usual number plate",
  "profile.vehicleHint": "Suggested when you claim a spot.",
  "profile.data": "Your data",
  "profile.dataText": "Everything the service stores about you, in one file (JSON).",
  "profile.download": "Download my data",
  "profile.sharesPhone":
    "Show my phone number to neighbours who claim my spot, or whose spot I claim",
  "profile.register": "Register",
  "profile.register.text":
    "Welcome! Tell us which apartment is yours. If you were invited, you can start right away; otherwise an administrator has to approve your account.",
  "profile.register.spots": "When you register, you get: {spots}",
  "profile.registered": "You are registered.",
  "profile.saved": "Your details are saved.",
  "profile.waiting.title": "Your account is waiting for approval",
  "profile.waiting.text":
    "An administrator of the building checks that you live here. You do not need to do anything; this page continues by itself.",
  "profile.waiting.registered": "You have registered.",
  "profile.waiting.checked": "An administrator checks your account.",
  "profile.waiting.ready": "You can claim spots and share your own.",
  "profile.suspended.title": "Your account is no longer approved",
  "profile.suspended.text":
    "An administrator of the building took the approval back. Ask them if you do not know why. This page continues by itself once you are approved again.",
  "profile.rejected.title": "Your account was not approved",
  "profile.rejected.text":
    "If something in your details is wrong, correct it, and an administrator will look at them again.",
  "profile.erased.title": "This account is closed",
  "profile.erased.text":
    "Its personal data was erased, and it can no longer be used. Ask an administrator of the building if you live here.",

  "calendar.title": "Your calendar",
  "calendar.text":
    "Your claims and those on your spots, in the calendar of your phone or computer: from the last 90 days on, cancelled ones for 30 days, with the name and apartment of the other person.",
  "calendar.since": "Subscribed on {date}. A new address replaces the old one.",
  "calendar.subscribe": "Subscribe",
  "calendar.renew": "Create a new address",
  "calendar.end": "End the subscription",
  "calendar.ended": "The subscription has ended. Calendar apps can no longer read it.",
  "calendar.download": "Download once",
  "calendar.address": "Address for your calendar app",
  "calendar.addressHint":
    "It is shown only once. Anyone who knows it can read your calendar: keep it to yourself.",
  "calendar.open": "Open in the calendar app",
  "calendar.copied": "The address is copied.",

  "passkeys.title": "Passkeys",
  "passkeys.text":
    "With a passkey you sign in with your fingerprint, your face or the code of your device, without an email. A code by email always works, too.",
  "passkeys.add": "Add a passkey",
  "passkeys.added": "The passkey is added. You get an email about it.",
  "passkeys.known": "This device has a passkey already.",
  "passkeys.impossible": "This browser cannot add passkeys.",
  "passkeys.full": "You have ten passkeys. Remove one to add another.",
  "passkeys.device": "Device",
  "passkeys.since": "added on {date}",
  "passkeys.used": "last used {moment}",
  "passkeys.unused": "not used yet",
  "passkeys.remove": "Remove",
  "passkeys.removeOne": "Remove the passkey {name}",
  "passkeys.removed": "The passkey is removed. You get an email about it.",
} as const;
