import type { messages as administration } from "./administration.en.ts";
import type { messages as board } from "./board.en.ts";
import type { messages as claims } from "./claims.en.ts";
import type { messages as mail } from "./mail.en.ts";
import type { messages as profile } from "./profile.en.ts";
import type { messages as spot } from "./spot.en.ts";
import type { messages as spots } from "./spots.en.ts";

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
  "app.language": "Language",
  "app.optional": "{field} (optional)",
  "app.zone": "All times are in {zone}.",

  "app.more": "Show more",
  "app.change": "Change",
  "app.edit": "Edit",
  "app.unsaved": "What you have typed is not saved. Leave without saving?",
  "app.copy": "Copy",
  "app.undo": "Undo",

  "time.today": "Today",
  "time.from": "From",
  "time.until": "Until",
  "time.date": "Date",
  "time.time": "Time",
  "time.endBeforeStart": "The end has to be after the beginning.",
  "time.skipped": "The clocks skip {time} on this day. It counts as {shown}.",

  "connection.offline": "You are offline. What you see may be out of date.",
  "connection.waiting": "You have sent many requests. Continuing in {count} s.",
  "connection.busy": "The service is busy. Trying again in {count} s.",
  "connection.outdated": "There is a new version of this page.",
  "connection.load": "Update",

  "error.title": "This did not work",
  "error.unreachable": "The service is not responding. Check your connection and try again.",
  "error.unexpected": "Something went wrong. Try again in a moment.",
  "error.tooMuchUntil": "You have reached the limit for now. You can continue at {moment}.",
  "error.toStart": "Back to the start",
  "error.broken": "This cannot be shown. The address may be incomplete.",
  "error.anew": "Start over",
  "error.partMissing":
    "This part of the page could not be loaded. There may be a new version of it.",
  "error.unknownScreen": "There is nothing at this address.",
  "error.forAdministrators": "This screen is for administrators.",
  "error.insecure":
    "This address is not encrypted, so the browser does not allow signing in. Open the page with https, or on this machine as localhost.",

  "welcome.title": "Park where a space is free",
  "welcome.text":
    "Neighbours share their parking spots when they do not need them. Find one, claim it, park.",
  "welcome.spot": "Sign in to see spot {name}.",
  "welcome.find": "See what is free now, tonight or tomorrow.",
  "welcome.claim": "Claim it with one tap: it is yours for that time.",
  "welcome.share": "Share your own spot while you are away.",
  "welcome.signIn": "Sign in",

  "signIn.unreachable":
    "The sign-in service is not responding. Check your connection and try again.",
  "signIn.waits": "This page continues by itself as soon as it responds.",
  "signIn.refused": "The sign-in service refused.",
  "signIn.unusable": "The sign-in service sent an answer that this page cannot use.",
  "signIn.notAccepted":
    "You are signed in, but the parking service does not accept it. Whoever runs the service can find the reason in its log.",
  "signIn.forgetful":
    "Your browser does not let this page store anything, so you cannot sign in here. Allow it to store data (cookies), or use another browser.",
  "signIn.ended": "You have signed out.",
  "signIn.unsaved": "Your sign-in has ended. Copy what you have typed, then load the page again.",
  "signIn.onlyHere":
    "You are signed out of this page. The sign-in service is not responding, so you may still be signed in there.",

  "account.signOut": "Sign out",
  "account.tasks": "{count} waiting for you",
  "account.waiting": "Waiting for approval",
  "account.administrator": "Administrator",
  "account.concierge": "Concierge",
  "account.apartment": "Apartment {number}",

  "inbox.none": "No messages yet",
  "inbox.noneText": "You will see it here when a neighbour claims your spot, for example.",
  "inbox.new": "New:",
  "inbox.open": "Open",
  "inbox.markAll": "Mark all as read",
  "inbox.unread": "{count} unread",
  "inbox.news": { one: "A new message", other: "{count} new messages" },

  "board.spot": "Spot",
  "board.section": "Section",
  "board.time": "Time",
  "board.state": "State",

  "board.firstDay": "First day",
  "board.allSections": "All sections",

  "slot.free": "Free",
  "slot.taken": "Taken",
  "slot.yours": "Yours",
  "slot.shared": "Your spot, shared",
  "slot.lent": "Your spot, lent to a neighbour",
  "slot.kept": "Not shared",
  "slot.over": "Over",
  "bar.free": "Free",
  "bar.taken": "Taken",
  "bar.yours": "Yours",
  "bar.shared": "Shared",
  "bar.lent": "Lent",
  "bar.kept": "Not shared",
  "bar.over": "Over",

  "claim.claim": "Claim",
  "claim.title": "Claim {spot}",
  "claim.claimOne": "Claim {spot}, {span}",
  "claim.unverified":
    "Not verified yet: nobody has checked that this spot belongs to the person who shares it.",
  "claim.offered": "Free {span}",
  "claim.yours": "{spot} is yours",
  "claim.overlaps": "You have {spot} at this time: {span}. Claim this spot as well?",
  "claim.over": "This time is over.",
  "claim.notFree": "Not all of this time is free.",

  "parking.vehicle": "Number plate",
  "parking.guest": "Guest",

  "contact.owner": "Whose spot is it?",
  "contact.claimer": "Who claimed it?",
  "contact.access": "How to get in: {notes}",

  "now.park": "Free spots",
  "now.when": "When",
  "now.now": "Now",
  "now.tonight": "Tonight",
  "now.overnight": "Overnight",
  "now.tomorrow": "Tomorrow",
  "now.other": "Other time",
  "now.notice": "Claims here can begin at {from} at the earliest.",
  "app.asOf": "As of {time}",
  "now.free": { one: "{count} spot is free", other: "{count} spots are free" },
  "now.freePartly": ", {count} for a part of it",
  "now.freeUntil": "free until {until}",
  "now.partUntil": "until {until}",
  "now.partFrom": "from {from}",
  "now.orUntil": ", or until {until}",
  "now.section": "Which section comes first",
  "now.sectionFirst": "{section} first",
  "now.more": "Show {count} more",
  "now.others": { one: "and {count} more claim", other: "and {count} more claims" },
  "now.noSuchTime": "The address of this page has times that do not exist",
  "now.back": "See what is free now",

  "find.find": "Find a spot",
  "find.parts": "Free for part of the time",
  "find.nothing": "Nothing is free at that time",
  "find.nothingText": "Try other times, or check the board.",
  "find.endBeforeStart": "The end has to be after the beginning",

  "wishes.another": "Tell me when another spot is free",

  "claims.coming": "Coming up",
  "claims.earlier": "Earlier",
  "claims.phase.now": "In use",
  "claims.phase.coming": "Claimed",
  "claims.phase.earlier": "Over",
  "claims.status.completed": "Finished",
  "claims.status.cancelled": "Cancelled",
  "claims.none": "You have no claims at the moment",
  "claims.noneText": "Say when you need a spot, and see which are free.",
  "claims.finish": "Finish now",
  "claims.finishedOf": "Your time on {spot} is over.",
  "claims.givenBack": "Your time on {spot} is over. The time until {until} is on offer again.",
  "claims.cancel": "Cancel claim",
  "claims.cancelSeries": "Cancel this and all later ones",
  "claims.cancelledOf": "{spot}, {span}, was cancelled.",
  "claims.until": "Can be cancelled until {until}.",
  "claims.tooLate": "It can no longer be cancelled: it begins in less than {length}.",
  "claims.undoOf": "Undo: {spot}, {span}",
  "claims.again": "{spot}, {span}, is yours again.",
  "claims.faster": "{spot}, {span}: a neighbour was faster. You cannot have it back.",
  "claims.extend": "Change the end",
  "claims.hour": "+1 h",
  "claims.hourUntil": "+1 h, until {until}",
  "claims.restUntil": "Until {until}",
  "claims.extended": "{spot} is yours until {until}.",
  "claims.next": "Then free",
  "claims.nextTaken": "{spot} is yours: {span}.",
  "claims.changeTitle": "Change your claim on {spot}",
  "claims.changed": "The times are changed.",
  "claims.saved": "Your claim is saved.",
  "claims.calendar": "Add to calendar",
  "claims.stranger": "Stranger's car",
  "claims.reported": "Reported at {time}",
  "claims.send": "Send to someone",
  "claims.shareText": "Parking spot {spot} ({section}), {span}",
  "claims.copied": "Copied.",
  "claims.more": "More for {spot}, {span}",
  "claims.left": "{length} left",
  "claims.begins": "in {length}",
  "claims.gone": "This claim no longer exists.",
  "claims.all": "All your claims",
  "claims.noneEarlier": "There are none yet.",
  "claims.youCancelled": "You cancelled it on {when}.",
  "claims.wasCancelled": "It was cancelled on {when}.",
  "claims.administratorCancelled": "An administrator cancelled it on {when}.",
  "claims.finishedOn": "Finished on {when}.",
  "claims.reason": "Reason: {reason}",

  "spots.favorite": "Favourite: {spot}",
  "spots.unverified": "Not verified yet",
  "spots.claimed": "Claimed",

  "share.share": "Share",

  "screen.now": "Now",
  "screen.board": "Board",
  "screen.claims": "Your claims",
  "screen.spots": "Your spots",
  "screen.spot": "Spot {name}",
  "screen.signs": "Signs with QR codes",
  "screen.inbox": "Inbox",
  "screen.profile": "Profile",
  "screen.waiting": "To do",
  "screen.accounts": "Accounts",
  "screen.people": "Invitations",
  "screen.verification": "Spots to verify",
  "screen.garage": "Garage",
  "screen.use": "Use of the spots",
  "screen.building": "Building settings",
  "screen.webhooks": "Webhooks",
  "screen.keys": "Keys",
  "nav.claims": "Claims",
  "nav.spots": "Spots",

  "refusal.not_found": "This no longer exists.",
  "refusal.precondition_failed": "It has changed in the meantime.",
  "refusal.invalid_data": "Something you entered cannot be used.",
  "refusal.validation_failed": "Something you entered cannot be used.",
  "refusal.body_too_large": "This is too much at once.",
  "refusal.request_timeout": "This took too long. Try again.",
  "refusal.too_many_requests": "You have done a lot in a short time.",
  "refusal.service_unavailable": "The service is busy. Try again in a moment.",

  "typed.missing": "{field} is missing.",
  "typed.longest": "{field}: at most {count} characters.",
  "typed.shortest": "{field}: at least {count} characters.",
  "typed.least": "{field}: {count} or more.",
  "typed.most": "{field}: {count} at most.",
  "typed.wrong": "{field}: this cannot be used.",
} as const satisfies Record<string, Message>;

export type Message = string | { readonly one: string; readonly other: string };

export type MessageKey =
  | keyof typeof en
  | keyof typeof administration
  | keyof typeof board
  | keyof typeof claims
  | keyof typeof mail
  | keyof typeof profile
  | keyof typeof spot
  | keyof typeof spots;

/** Every language has all messages. */
export type Messages = Readonly<Record<keyof typeof en, Message>>;
