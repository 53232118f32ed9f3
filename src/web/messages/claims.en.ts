/** The English texts about claims that repeat. */
export const messages = {
  "series.title": "Claim every week",
  "series.lead": "The same hours on several days, such as every Tuesday or Monday to Thursday.",
  "series.claim": "Claim these days",
  "series.free": { one: "{count} day is free.", other: "{count} days are free." },
  "series.notFree": {
    one: "{count} day is not, and is left out.",
    other: "{count} days are not, and are left out.",
  },
  "series.notAll": {
    one: "{count} day is not, so nothing is claimed.",
    other: "{count} days are not, so nothing is claimed.",
  },
  "series.allOrNone": "Only if every day is free",
  "series.noDay": "None of these days is ahead.",
  "series.days": "What you get",
  "series.none": "Nothing is free",
  "series.own": "You have {spot} then",
  "series.done": {
    one: "{count} day is claimed for you.",
    other: "{count} days are claimed for you.",
  },
  "series.undone": "None of these days is claimed any more.",
  "series.more": { one: "{count} claim until {until}", other: "{count} claims until {until}" },
  "series.spots": "{count} spots",
  "series.sure": "Cancel your claim of {span} and all later ones that you made with it?",
  "series.cancelled": {
    one: "{count} claim was cancelled.",
    other: "{count} claims were cancelled.",
  },
};
