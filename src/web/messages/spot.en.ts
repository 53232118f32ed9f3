import type { Message } from "./en.ts";

/** The texts of the screen of one spot, and of the signs. */
export const spot = {
  "spot.unknown": "There is no spot {name} in this building",
  "spot.unknownText": "Perhaps it has another number now. The board shows all spots.",
  "spot.toBoard": "Open the board",
  "spot.freeUntil": "Free now, until {time}",
  "spot.freeLater": "Taken or not shared now. Free {span}",
  "spot.takenUntil": "Taken until {time}",
  "spot.notShared": "Not shared at the moment",
  "spot.yours": "You have it {span}",
  "spot.sharedUntil": "Your spot. Shared until {time}, and nobody has claimed it",
  "spot.lentUntil": "Your spot. Lent until {time}",
  "spot.keptByYou": "Your spot. You do not share it at the moment",
  "spot.claimUntil": "Claim until {time}",
  "spot.otherTimes": "Other times",
  "spot.later": "Free later",
  "spot.claimSpan": "Claim {span}",
  "spot.toClaims": "Open my claims",
  "spot.strangerText":
    "The neighbour with whom you share the spot, if it is claimed now, and the administrators are told.",
  "spot.strangerPlate": "Plate of the car (optional)",
  "spot.strangerNote": "Note (optional)",
  "spot.strangerNoteHint": "Such as the colour, or where it stands.",
  "spot.strangerNow": "Report it",
  "spot.strangerDone": "It is reported.",
  "spot.sign": "Sign with QR code",
  "spot.person": "Open your spots",

  "signs.text":
    "Print them and put them up at the spots. Who scans a code sees whether the spot is free, and claims it there.",
  "signs.whose": "Whose spots",
  "signs.mine": "My spots",
  "signs.all": "All spots",
  "signs.print": "Print",
  "signs.none": "There is no spot to make a sign for",
  "signs.question": "Free? Scan and claim it.",
  "signs.code": "QR code of {address}",
} as const satisfies Record<string, Message>;
