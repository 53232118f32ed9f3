/**
 * The texts of the page in English. `{name}` is replaced by a value. A text with `one` and `other`
 * is chosen by the value of `{count}`.
 */
export const en = {
  "app.name": "Parking",
  "app.skip": "Skip to content",
  "app.loading": "Loading",
  "app.retry": "Try again",
  "app.close": "Close",
  "app.cancel": "Cancel",
  "app.save": "Save",
  "app.menu": "Account and more",
  "app.main": "Main",
  "app.administration": "Administration",
  "app.zone": "All times are in {zone}.",

  "app.undo": "Undo",

  "time.today": "Today",
  "time.from": "From",
  "time.until": "Until",
  "time.date": "Date",
  "time.time": "Time",

  "connection.offline": "You are offline. What you see may be out of date.",
  "connection.waiting": "Many requests were sent. The page goes on in {count} s.",

  "error.title": "This did not work",
  "error.unreachable": "The service does not answer. Check your connection and try again.",
  "error.unexpected": "Something went wrong. Try again in a moment.",
  "error.unknownScreen": "There is nothing at this address.",
  "error.forAdministrators": "This screen is for administrators.",
  "error.insecure":
    "This address is not encrypted, so the browser does not allow signing in. Open the page with https, or on this machine as localhost.",

  "welcome.title": "Park where a space is free",
  "welcome.text":
    "Neighbours share their parking spots for the hours in which they do not need them. Find one, claim it, park.",
  "welcome.signIn": "Sign in",
  "welcome.failed": "Signing in did not work: {reason}",

  "account.signOut": "Sign out",
  "account.waiting": "Waiting for approval",
  "account.administrator": "Administrator",
  "account.apartment": "Apartment {number}",

  "inbox.unread": { one: "{count} unread", other: "{count} unread" },

  "board.spot": "Spot",
  "board.section": "Section",
  "board.time": "Time",
  "board.state": "State",
  "board.empty": "There are no parking spots yet",

  "board.emptyText": "Be the first: register your spot under Your spots.",
  "board.noneFree": "Nothing is free in this period",
  "board.nothing": "Not shared in this period",
  "board.days": "Period",
  "board.span": { one: "Day", other: "{count} days" },
  "board.firstDay": "First day",
  "board.earlier": "Earlier",
  "board.later": "Later",
  "board.onlyFree": "Only what is free",
  "board.allSections": "All sections",
  "board.view": "View",
  "board.asBoard": "Board",
  "board.asTable": "Table",
  "board.slot": "{spot}: {state}, {span}",

  "slot.free": "Free",
  "slot.taken": "Taken",
  "slot.yours": "Yours",
  "slot.shared": "Your spot, shared",
  "slot.lent": "Your spot, lent to a neighbour",
  "slot.over": "Over",
  "bar.free": "Free",
  "bar.taken": "Taken",
  "bar.yours": "Yours",
  "bar.shared": "Shared",
  "bar.lent": "Lent",
  "bar.over": "Over",

  "claim.claim": "Claim",
  "claim.title": "Claim {spot}",
  "claim.offered": "Free {span}",
  "claim.done": "{spot} is yours, {span}.",
  "claim.gone": "A neighbour has claimed it in the meantime.",

  "profile.yours": "Your details",
  "profile.apartment": "Apartment",
  "profile.name": "Full name",
  "profile.phone": "Phone number",
  "profile.register": "Register",
  "profile.register.text":
    "Welcome! Say which apartment is yours. An administrator of the building then approves your account.",
  "profile.registered": "You are registered.",
  "profile.saved": "Your details are saved.",
  "profile.waiting.title": "Your account waits for approval",
  "profile.waiting.text":
    "An administrator of the building checks that you live here. You need to do nothing; this page goes on by itself.",
  "profile.waiting.registered": "You have registered.",
  "profile.waiting.checked": "An administrator checks your account.",
  "profile.waiting.ready": "You can claim spots and share your own.",

  "screen.board": "Board",
  "screen.find": "Find",
  "screen.claims": "Your claims",
  "screen.spots": "Your spots",
  "screen.inbox": "Inbox",
  "screen.profile": "Profile",
  "screen.accounts": "Accounts",
  "screen.verification": "Spots to verify",
  "screen.garage": "Garage",
  "screen.use": "Use",
  "screen.building": "Building",
  "nav.claims": "Claims",
  "nav.spots": "Spots",
} as const satisfies Record<string, Message>;

export type Message = string | { readonly one: string; readonly other: string };

export type MessageKey = keyof typeof en;

/** Every language has all messages. */
export type Messages = Readonly<Record<MessageKey, Message>>;
