import type { administration } from "./administration.en.ts";
import { exceptions } from "./exceptions.en.ts";
import type { mail } from "./mail.en.ts";
import type { refusals } from "./refusals.en.ts";

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

  "app.more": "Show more",
  "app.change": "Change",
  "app.edit": "Edit",
  "app.undo": "Undo",

  "time.today": "Today",
  "time.from": "From",
  "time.until": "Until",
  "time.date": "Date",
  "time.time": "Time",

  "connection.offline": "You are offline. What you see may be out of date.",
  "connection.waiting": "Many requests were sent. The page goes on in {count} s.",
  "connection.busy": "The service is busy. The page tries again in {count} s.",

  "error.title": "This did not work",
  "error.unreachable": "The service does not answer. Check your connection and try again.",
  "error.unexpected": "Something went wrong. Try again in a moment.",
  "error.tooMuchUntil": "You have done as much as is allowed for now. It goes on at {moment}.",
  "error.toStart": "To the first screen",
  "error.unknownScreen": "There is nothing at this address.",
  "error.forAdministrators": "This screen is for administrators.",
  "error.insecure":
    "This address is not encrypted, so the browser does not allow signing in. Open the page with https, or on this machine as localhost.",

  "welcome.title": "Park where a space is free",
  "welcome.text":
    "Neighbours share their parking spots for the hours in which they do not need them. Find one, claim it, park.",
  "welcome.signIn": "Sign in",

  "signIn.unreachable": "The sign-in service does not answer. Check your connection and try again.",
  "signIn.waits": "This page goes on by itself as soon as it answers.",
  "signIn.refused": "The sign-in service has refused.",
  "signIn.unusable": "The sign-in service has sent an answer that this page cannot use.",
  "signIn.notAccepted":
    "You are signed in, but the parking service does not accept it. Those who run the service find the reason in its log.",
  "signIn.ended": "You have signed out.",
  "signIn.onlyHere":
    "You are signed out of this page. The sign-in service does not answer, so you may still be signed in there.",

  "account.signOut": "Sign out",
  "account.waiting": "Waiting for approval",
  "account.administrator": "Administrator",
  "account.apartment": "Apartment {number}",

  "inbox.none": "Nothing has happened yet",
  "inbox.noneText": "Here you read when a neighbour claims your spot, and more.",
  "inbox.new": "New:",
  "inbox.open": "Open",
  "inbox.markAll": "Mark all as read",
  "inbox.unread": { one: "{count} unread", other: "{count} unread" },
  "inbox.news": { one: "A new message", other: "{count} new messages" },

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

  "parking.vehicle": "Number plate",
  "parking.guest": "Guest",
  "parking.vehicleOptional": "Number plate (optional)",
  "parking.guestOptional": "Guest (optional)",

  "contact.owner": "Whose spot is it?",
  "contact.claimer": "Who claimed it?",

  "find.find": "Find a spot",
  "find.whole": {
    one: "{count} spot is free the whole time",
    other: "{count} spots are free the whole time",
  },
  "find.noneWhole": "No spot is free the whole time",
  "find.parts": "Free for a part of it",
  "find.window": "Free {span}",
  "find.nothing": "Nothing is free at that time",
  "find.nothingText": "Try other times, or look at the board for what is free nearby.",
  "find.endBeforeStart": "The end has to be after the beginning",

  "wishes.title": "What you wait for",
  "wishes.missing": "Not what you need?",
  "wishes.text": "We tell you when a spot becomes free for all of {span}.",
  "wishes.where": "Where",
  "wishes.anywhere": "Anywhere",
  "wishes.ask": "Tell me when something is free",
  "wishes.asked": "You will be told when something is free.",
  "wishes.waits": "You wait for a spot at this time. What comes of it, you see in your claims.",
  "wishes.see": "See what you wait for",
  "wishes.state.waiting": "Waiting",
  "wishes.state.fulfilled": "Claimed",
  "wishes.state.over": "Nothing found",
  "wishes.nothingYet": "Nothing is free yet.",
  "wishes.faster": "Somebody was faster. You will be told when something else is free.",
  "wishes.fits": "{spot} is free.",
  "wishes.kept": "It is kept for you until {until}.",
  "wishes.keptLater":
    "It is kept for you from {from} until {until}, unless somebody who asked before you takes it.",
  "wishes.withdraw": "Stop waiting",
  "wishes.remove": "Remove",
  "wishes.withdrawOf": "Stop waiting for {span}",
  "wishes.removeOf": "Remove {span}",
  "wishes.withdrawn": "You no longer wait for {span}.",

  "claims.now": "Now",
  "claims.coming": "Coming up",
  "claims.earlier": "Earlier",
  "claims.phase.now": "In use",
  "claims.phase.coming": "Claimed",
  "claims.phase.earlier": "Over",
  "claims.status.completed": "Finished",
  "claims.status.cancelled": "Cancelled",
  "claims.none": "You have no claims yet",
  "claims.noneText": "Say when you need a spot, and see which are free.",
  "claims.finish": "Finish now",
  "claims.finished": "The claim is finished.",
  "claims.finishGivesBack": "If you finish early, your neighbours can have the rest of the time.",
  "claims.moreTime": "You can take more time while the spot is free before or after it.",
  "claims.cancel": "Cancel claim",
  "claims.cancelled": "The claim is cancelled.",
  "claims.change": "Change",
  "claims.changeTitle": "Change your claim of {spot}",
  "claims.changed": "The times are changed.",
  "claims.saved": "Your claim is saved.",
  "claims.calendar": "To calendar",

  "spots.none": "You have no parking spot here yet",
  "spots.noneText": "Register your spot to share it with your neighbours when you do not need it.",
  "spots.register": "Register a spot",
  "spots.registered": "Your spot is registered.",
  "spots.number": "Spot number",
  "spots.numberHint": "As it is written on the ground.",
  "spots.verified": "Verified",
  "spots.unverified": "Not verified yet",
  "spots.verifiedAgain": "After a change, an administrator has to verify the spot again.",
  "spots.saved": "Your spot is saved.",
  "spots.editTitle": "Edit {spot}",
  "spots.remove": "Remove this spot",
  "spots.removeText":
    "The spot and all times at which it is shared are removed. This cannot be undone.",
  "spots.removeNow": "Remove for good",
  "spots.removed": "The spot is removed.",
  "spots.notShared": "You do not share it at the moment.",
  "spots.shared": "Shared {span}",
  "spots.ofPattern":
    "It belongs to your weekly hours. Changed or withdrawn, this one no longer follows them.",
  "spots.lent": "Lent {span}",
  "spots.withdraw": "Withdraw",
  "spots.withdrawn": "Withdrawn: {span}.",
  "spots.changeTitle": "Change when you share",

  "share.title": "Share {spot}",
  "share.share": "Share",
  "share.how": "How often",
  "share.once": "Once",
  "share.weekly": "Every week",
  "share.weekdays": "On these days",
  "share.from": "From",
  "share.until": "Until",
  "share.firstDay": "First day",
  "share.lastDay": "Last day",
  "share.preview": "What happens",
  "share.past": "In the past",
  "share.overlap": "Already shared",
  "share.done": "Your spot is shared.",

  "share.shareWeekly": "Share every week",
  "share.doneWeekly": "Your spot is shared every week.",
  "share.untilFurtherNotice": "Empty: until further notice.",
  "share.overlaps": "Already shared",
  "share.kept": "You need it then",
  "share.weeks": {
    one: "{count} time in the next weeks.",
    other: "{count} times in the next weeks.",
  },
  "share.more": "More follow by themselves.",
  "share.skipped": "What is left out",

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
    "Welcome! Say which apartment is yours. If you are invited, you can begin at once; otherwise an administrator of the building approves your account.",
  "profile.registered": "You are registered.",
  "profile.saved": "Your details are saved.",
  "profile.waiting.title": "Your account waits for approval",
  "profile.waiting.text":
    "An administrator of the building checks that you live here. You need to do nothing; this page goes on by itself.",
  "profile.waiting.registered": "You have registered.",
  "profile.waiting.checked": "An administrator checks your account.",
  "profile.waiting.ready": "You can claim spots and share your own.",

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
  "calendar.copy": "Copy",
  "calendar.copied": "The address is copied.",

  ...exceptions,

  "screen.board": "Board",
  "screen.find": "Find",
  "screen.claims": "Your claims",
  "screen.spots": "Your spots",
  "screen.inbox": "Inbox",
  "screen.profile": "Profile",
  "screen.accounts": "Accounts",
  "screen.people": "Invitations",
  "screen.verification": "Spots to verify",
  "screen.garage": "Garage",
  "screen.use": "Use",
  "screen.building": "Building",
  "screen.webhooks": "Webhooks",
  "nav.claims": "Claims",
  "nav.spots": "Spots",
} as const satisfies Record<string, Message>;

export type Message = string | { readonly one: string; readonly other: string };

export type MessageKey =
  | keyof typeof en
  | keyof typeof administration
  | keyof typeof mail
  | keyof typeof refusals;

/** Every language has all messages. */
export type Messages = Readonly<Record<keyof typeof en, Message>>;
