/** The English texts of patterns and exceptions; part of `en`. */
export const exceptions = {
  "week.of": "When {spot} is shared",
  "week.earlier": "Earlier week",
  "week.later": "Later week",

  "pattern.title": "Change the weekly hours",
  "pattern.text": "What neighbours have claimed stays theirs. All else follows the new hours.",
  "pattern.changeThis": "Change {pattern}",
  "pattern.from": "from {first}",
  "pattern.fromUntil": "from {first} until {last}",
  "pattern.end": "Share no longer every week",
  "pattern.ended": "Your spot is no longer shared every week.",
  "pattern.endedBut": {
    one: "No longer shared every week. {count} time that is claimed stays.",
    other: "No longer shared every week. {count} times that are claimed stay.",
  },

  "exceptions.title": "You need it, or are away",
  "exceptions.keep": "You need {spot}",
  "exceptions.share": "You are away: {spot}",
  "exceptions.all": "all your spots",
  "exceptions.allMine": "All my spots",
  "exceptions.which": "Which spots",
  "exceptions.keepTitle": "I need it",
  "exceptions.shareTitle": "I am away",
  "exceptions.keepText":
    "What is still free in this time is withdrawn. What neighbours have claimed stays theirs; if they cancel, it is withdrawn too.",
  "exceptions.shareText": "Everything that is not shared yet in this time is shared.",
  "exceptions.keepDone": "What was free is withdrawn.",
  "exceptions.shareDone": "Your spot is shared while you are away.",
  "exceptions.claimed": "Claimed, stays",
  "exceptions.withdrawn": "Is withdrawn",
  "exceptions.claims": {
    one: "{count} claim stays. Talk to the neighbour if you need the spot then.",
    other: "{count} claims stay. Talk to the neighbours if you need the spot then.",
  },
  "exceptions.undo": "Undo",
  "exceptions.undoThis": "Undo: {exception}, {span}",
  "exceptions.undone": "It is undone, but for what neighbours have claimed since.",
} as const;
