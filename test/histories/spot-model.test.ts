import { describe, expect, it } from "@jest/globals";
import { linearize } from "./linearize.ts";
import type { Logged } from "./log.ts";
import type { Action, Body, Outcome, Span } from "./recorded.ts";
import type { Ending } from "./shown.ts";
import { type SpotOperation, spotModel } from "./spot-model.ts";

const HOURS: Span = { start: "10:00", end: "18:00" };
const spot = "spot";

let number = 0;
const operation = (
  person: string,
  [sent, answered]: readonly [number, number | null],
  action: Action,
  outcome: Outcome,
  made = "",
): SpotOperation => {
  number += 1;
  const isAdministrator = person === "administrator";
  return { number, person, isAdministrator, sent, answered, action, outcome, made };
};

type Times = readonly [number, number | null];
const unknown: Outcome = { result: "unknown", why: "no answer" };
const happened = (body: Body = {}): Outcome => ({ result: "happened", body });
const refused = (code: string): Outcome => ({ result: "refused", code });

const windowRow = (id: string, { start, end }: Span, is_claimed = false) => ({
  id,
  spot_id: spot,
  start_time: start,
  end_time: end,
  is_claimed,
});
const claimRow = (id: string, claimer_id: string, status = "active", { start, end } = HOURS) => ({
  id,
  availability_id: "window",
  claimer_id,
  start_time: start,
  end_time: end,
  status,
});

const publish = (id: string, times: Times, span = HOURS) =>
  operation(
    "owner",
    times,
    { kind: "publish window", spot, ...span },
    happened({ availability: windowRow(id, span) }),
    id,
  );
const claimAs = (person: string, times: Times, outcome?: Outcome, span = HOURS) => {
  const id = `claim of ${person}`;
  const row = claimRow(id, person, "active", span);
  const action = { kind: "claim", spot, window: "window", ...span } as const;
  return operation(person, times, action, outcome ?? happened({ claim: row }), id);
};
const cancel = (person: string, times: Times, outcome?: Outcome) => {
  const id = `claim of ${person}`;
  const action = { kind: "close claim", spot, claim: id, status: "cancelled" } as const;
  const body = { claim: claimRow(id, person, "cancelled") };
  return operation(person, times, action, outcome ?? happened(body));
};
const closeAs = (person: string, times: Times, status: "completed" | "cancelled", claim: string) =>
  operation(
    person,
    times,
    { kind: "close claim", spot, claim: `claim of ${claim}`, status },
    happened({ claim: claimRow(`claim of ${claim}`, claim, status) }),
  );
const moveAs = (person: string, times: Times, span: Span, outcome?: Outcome) => {
  const claim = `claim of ${person}`;
  const body = { claim: claimRow(claim, person, "active", span) };
  const action = { kind: "move claim", spot, claim, ...span } as const;
  return operation(person, times, action, outcome ?? happened(body));
};
const readWindows = (times: Times, isClaimed: boolean) =>
  operation(
    "ann",
    times,
    { kind: "read windows", spot },
    happened({ availabilities: [windowRow("window", HOURS, isClaimed)] }),
  );
const suspendOwner = (times: Times) =>
  operation(
    "administrator",
    times,
    { kind: "approve", resident: "owner", isApproved: false },
    happened({ profile: { is_approved: false } }),
  );
const deleteSpot = (times: Times) =>
  operation("owner", times, { kind: "delete spot", spot }, happened());
const atEnd = (claims: Ending["rows"]["claims"], isClaimed: boolean): SpotOperation => ({
  sent: 98,
  answered: 99,
  rows: { exists: true, windows: { window: { ...HOURS, isClaimed } }, claims },
});
const claimAtEnd = (claimer: string, status: string) => ({
  [`claim of ${claimer}`]: { ...HOURS, window: "window", claimer, status },
});

/** What is before each history: a spot with one window. */
const before = [
  operation("owner", [1, 2], { kind: "register spot", spotNumber: "1" }, happened(), spot),
  publish("window", [3, 4]),
];
const alreadyClaimed = refused("claims_one_per_availability");

const possible: Readonly<Record<string, readonly SpotOperation[]>> = {
  "two claims at once, one of which is refused": [
    claimAs("ann", [5, 8], alreadyClaimed),
    claimAs("bob", [6, 7]),
    atEnd(claimAtEnd("bob", "active"), true),
  ],
  "a claim after another was cancelled": [
    claimAs("ann", [5, 6]),
    cancel("ann", [7, 10]),
    claimAs("bob", [8, 9]),
  ],
  "a claim that is refused for one of unknown outcome, which is there at the end": [
    claimAs("ann", [5, null], unknown),
    claimAs("bob", [6, 7], alreadyClaimed),
    atEnd(claimAtEnd("ann", "active"), true),
  ],
  "a claim after an administrator cancelled one that was completed": [
    claimAs("ann", [5, 6]),
    closeAs("ann", [7, 8], "completed", "ann"),
    closeAs("administrator", [9, 10], "cancelled", "ann"),
    claimAs("bob", [11, 12]),
  ],
  "a claim of unknown outcome that never happened": [
    claimAs("ann", [5, null], unknown),
    claimAs("bob", [6, 7]),
    atEnd(claimAtEnd("bob", "active"), true),
  ],
  "a cancellation of unknown outcome that frees the window": [
    claimAs("ann", [5, 6]),
    cancel("ann", [7, null], unknown),
    claimAs("bob", [8, 9]),
    atEnd({ ...claimAtEnd("ann", "cancelled"), ...claimAtEnd("bob", "active") }, true),
  ],
  "windows one after the other": [publish("later", [5, 6], { start: "18:00", end: "20:00" })],
  "a claim that is refused during the suspension of the owner": [
    suspendOwner([5, 8]),
    claimAs("ann", [6, 7], refused("claims_of_an_approved_owner")),
  ],
  "a claim shortened, and not extended again, after the suspension of the owner": [
    claimAs("ann", [5, 6]),
    suspendOwner([7, 8]),
    moveAs("ann", [9, 10], { start: "11:00", end: "17:00" }),
    moveAs("ann", [11, 12], HOURS, refused("claims_of_an_approved_owner")),
  ],
  "the deletion of a spot after the cancellation of the claim": [
    claimAs("ann", [5, 6]),
    cancel("ann", [7, 8]),
    deleteSpot([9, 10]),
  ],
};

const impossible: Readonly<Record<string, readonly SpotOperation[]>> = {
  "two claims of one window": [claimAs("ann", [5, 8]), claimAs("bob", [6, 7])],
  "a claim that is refused for another that was never there": [
    claimAs("ann", [5, 6], alreadyClaimed),
  ],
  "a claim that is refused for another that is sent later": [
    claimAs("ann", [5, 6], alreadyClaimed),
    claimAs("bob", [7, 8]),
  ],
  "a claim that is refused for another that was cancelled before": [
    claimAs("bob", [5, 6]),
    cancel("bob", [7, 8]),
    claimAs("ann", [9, 10], alreadyClaimed),
  ],
  "a claim that ended before the cancellation of another was sent": [
    claimAs("ann", [5, 6]),
    claimAs("bob", [7, 8]),
    cancel("ann", [9, null], unknown),
  ],
  "a claim that was answered and is not there at the end": [
    claimAs("ann", [5, 6]),
    atEnd({}, false),
  ],
  "a claim that is there at the end, and nobody made": [atEnd(claimAtEnd("ann", "active"), true)],
  "a cancellation that was answered and is undone at the end": [
    claimAs("ann", [5, 6]),
    cancel("ann", [7, 8]),
    atEnd(claimAtEnd("ann", "active"), true),
  ],
  "a window that is not marked as claimed at the end": [
    claimAs("ann", [5, 6]),
    atEnd(claimAtEnd("ann", "active"), false),
  ],
  "a list that does not show an answered claim": [
    claimAs("ann", [5, 6]),
    readWindows([7, 8], false),
  ],
  "a list that shows a claim before it was sent": [
    readWindows([5, 6], true),
    claimAs("ann", [7, 8]),
  ],
  "a completed claim that its claimer cancels": [
    claimAs("ann", [5, 6]),
    closeAs("ann", [7, 8], "completed", "ann"),
    closeAs("ann", [9, 10], "cancelled", "ann"),
  ],
  "a claim by the owner": [claimAs("owner", [5, 6])],
  "a claim outside the window": [
    claimAs("ann", [5, 6], undefined, { start: "10:00", end: "19:00" }),
  ],
  "a claim in the window that is refused as outside": [
    claimAs("ann", [5, 6], refused("claims_within_availability")),
  ],
  "two windows that overlap": [publish("other", [5, 6], { start: "17:00", end: "20:00" })],
  "a claim after the suspension of the owner": [suspendOwner([5, 6]), claimAs("ann", [7, 8])],
  "a claim extended after the suspension of the owner": [
    claimAs("ann", [5, 6], undefined, { start: "10:00", end: "17:00" }),
    suspendOwner([7, 8]),
    moveAs("ann", [9, 10], HOURS),
  ],
  "the deletion of a spot with an active claim": [claimAs("ann", [5, 6]), deleteSpot([7, 8])],
  "a claim of a deleted spot": [deleteSpot([5, 6]), claimAs("ann", [7, 8])],
  "a rule that no such operation has": [claimAs("ann", [5, 6], refused("invalid_json"))],
};

const search = (
  history: readonly SpotOperation[],
  log?: readonly Logged[],
  keepsRest = false,
): unknown => linearize(spotModel("owner", log, keepsRest), [...before, ...history]);

const morning: Span = { start: "10:00", end: "12:00" };
const afternoon: Span = { start: "12:00", end: "18:00" };
const readFree = (times: Times, ...free: readonly Span[]) =>
  operation(
    "ann",
    times,
    { kind: "read windows", spot },
    happened({
      availabilities: [
        {
          ...windowRow("window", HOURS),
          free: free.map(({ start, end }) => ({ start_time: start, end_time: end })),
        },
      ],
    }),
  );

/** Where the rest of a window stays on offer. */
const possibleOfRest: typeof possible = {
  "two claims of one window that follow each other": [
    claimAs("ann", [5, 8], undefined, morning),
    claimAs("bob", [6, 7], undefined, afternoon),
    readWindows([9, 10], true),
  ],
  "a list that shows what is free of a window": [
    claimAs("ann", [5, 6], undefined, morning),
    readFree([7, 8], afternoon),
  ],
  "a claim moved to what is free": [
    claimAs("ann", [5, 6], undefined, morning),
    moveAs("ann", [7, 8], afternoon),
    readFree([9, 10], morning),
  ],
  "a claim that is refused for another of a part of its time": [
    claimAs("ann", [5, 6], undefined, morning),
    claimAs("bob", [7, 8], alreadyClaimed, HOURS),
  ],
  "a window that is whole again": [
    claimAs("ann", [5, 6], undefined, morning),
    cancel("ann", [7, null], unknown),
    readWindows([9, 10], false),
  ],
};
const impossibleOfRest: typeof possible = {
  "two claims of one time": [
    claimAs("ann", [5, 8], undefined, morning),
    claimAs("bob", [6, 7], undefined, HOURS),
  ],
  "a claim that is refused for another time": [
    claimAs("ann", [5, 6], undefined, morning),
    claimAs("bob", [7, 8], alreadyClaimed, afternoon),
  ],
  "a window that is claimed although a part of it is free": [
    claimAs("ann", [5, 6], undefined, morning),
    readWindows([7, 8], true),
  ],
  "a list that shows as free what is claimed": [
    claimAs("ann", [5, 6], undefined, morning),
    readFree([7, 8], morning),
  ],
  "a claim moved to what another has": [
    claimAs("ann", [5, 6], undefined, morning),
    claimAs("bob", [7, 8], undefined, afternoon),
    moveAs("ann", [9, 10], HOURS),
  ],
};

describe("the check of what happened to a spot", () => {
  it.each(Object.entries(possible))("accepts %s", (_name, history) => {
    expect(search(history)).toBeUndefined();
  });

  it.each(Object.entries(impossible))("refuses %s", (_name, history) => {
    expect(search(history)).toBeDefined();
  });
});

describe("the check of what happened to a spot, where the rest of a window stays on offer", () => {
  it.each(Object.entries(possibleOfRest))("accepts %s", (_name, history) => {
    expect(search(history, undefined, true)).toBeUndefined();
  });

  it.each(Object.entries(impossibleOfRest))("refuses %s", (_name, history) => {
    expect(search(history, undefined, true)).toBeDefined();
  });
});

describe("the check of the log", () => {
  const event = (type: string, subject: string, actor: string): Logged => ({
    type,
    subject,
    actor,
    start: type.startsWith("spot") ? null : HOURS.start,
    end: null,
    spot,
    spotNumber: null,
  });
  const events = [
    event("spot.registered", spot, "owner"),
    event("availability.created", "window", "owner"),
    event("claim.submitted", "claim of ann", "ann"),
  ];
  const [registered, created, submitted] = events;
  const history = [claimAs("ann", [5, null], unknown), atEnd(claimAtEnd("ann", "active"), true)];

  it("accepts one event for each change", () => {
    expect(search(history, events)).toBeUndefined();
  });

  it.each([
    ["without the event of a change", [registered, created]],
    ["with two events of one change", [...events, submitted]],
    [
      "with the event of another change",
      [...events, event("claim.updated", "claim of ann", "ann")],
    ],
    ["with another actor", [registered, created, event("claim.submitted", "claim of ann", "bob")]],
  ])("refuses a log %s", (_name, log) => {
    expect(
      search(
        history,
        log.filter((it) => it !== undefined),
      ),
    ).toBeDefined();
  });
});
