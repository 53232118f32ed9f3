/** The English texts of the keys of machines; part of the administrators' texts. */
export const keys = {
  "keys.intro":
    "A machine, such as the barrier of the garage, uses the building with a key. It may do what is chosen here, and nothing else.",
  "keys.none": "No machine has a key",
  "keys.noneText": "Add one for a barrier, or for a program that reads the reports.",
  "keys.add": "Add a key",
  "keys.addNow": "Add",
  "keys.added": "The key is added. Its secret is shown only now.",
  "keys.all": "All keys",
  "keys.nameHint": "What machine it is for.",
  "keys.what": "What the machine may do",
  "keys.scope.gate": "Ask at the gate who may pass",
  "keys.scope.reports": "Read the reports",
  "keys.scope.events": "Follow all that happens",
  "keys.secretHint": "It is shown only now. Put it into the settings of the machine.",
  "keys.until": "until {date}",
  "keys.maker": "made by {name}",
  "keys.ended": "Ended",
  "keys.delete": "Withdraw",
  "keys.deleteText": "The machine can do nothing with it any more. This cannot be undone.",
  "keys.deleteNow": "Withdraw for good",
  "keys.deleted": "The key {name} is withdrawn.",
} as const;
