import { describe, expect, it } from "@jest/globals";

interface Row {
  readonly id: string;
  readonly start_time: string;
  readonly end_time: string;
}
interface Window extends Row {
  readonly is_claimed: boolean;
  readonly free?: readonly { readonly start_time: string; readonly end_time: string }[];
}
interface Claim extends Row {
  readonly availability_id: string;
  readonly claimer_id: string;
  readonly status: "active" | "completed";
}
interface States {
  stateOf(known: {
    readonly windows: readonly Window[];
    readonly claims: readonly Claim[];
    readonly limits: { readonly claim_notice_minutes?: number };
    readonly restIsFree: boolean;
    readonly personId: string;
    readonly isOwn: boolean;
    readonly now: number;
  }): {
    readonly kind: string;
    readonly part?: { readonly end: number; readonly claim?: Claim };
    readonly offer?: { readonly free: { readonly end: number } };
  };
}

// By its address: the types of a browser are not those of the tests.
const { href } = new URL("../../../src/web/screens/spot/state.ts", import.meta.url);
const { stateOf }: States = await import(href);

const at = (time: string) => `2030-02-01T${time}:00Z`;
const day = 24 * 60;

/** Windows that are claimed, with their claims of the person; those of others are not seen. */
function claimed(...spans: readonly (readonly [start: string, end: string, who?: "other"])[]) {
  const rows = spans.map(([start, end, who]) => ({
    window: { id: start, start_time: at(start), end_time: at(end), is_claimed: true },
    who,
  }));
  const windows = rows.map(({ window }) => window);
  const claims = rows
    .filter(({ who }) => who === undefined)
    .map(({ window: { is_claimed, ...row } }) => ({
      ...row,
      availability_id: row.id,
      claimer_id: "me",
      status: "active" as const,
    }))
    // As the API lists them: the latest first.
    .toReversed();
  return { windows, claims };
}

describe("the state of a spot", () => {
  const spot = (known: ReturnType<typeof claimed>, now: string, notice = 0) => {
    const limits = { claim_notice_minutes: notice };
    const person = { personId: "me", isOwn: false, restIsFree: false };
    const { kind, part } = stateOf({ ...known, ...person, limits, now: Date.parse(at(now)) });
    return [kind, kind === "yours" ? part?.claim?.id : undefined];
  };

  it('is "yours" during a claim, also with another claim later', () => {
    const twice = claimed(["08:00", "12:00"], ["16:00", "18:00"]);
    expect(spot(twice, "09:00", day)).toEqual(["yours", "08:00"]);
    const on = claimed(["08:00", "10:00"], ["10:00", "12:00"]);
    expect(spot(on, "09:58")).toEqual(["yours", "08:00"]);
    expect(spot(on, "10:00")).toEqual(["yours", "10:00"]);
  });

  it('is "yours" from the claim on, though it begins some minutes later, or after the notice', () => {
    expect(spot(claimed(["10:05", "12:00"]), "10:01")).toEqual(["yours", "10:05"]);
    expect(spot(claimed(["12:05", "14:00"]), "10:01")).toEqual(["none", undefined]);
    const both = claimed(["12:05", "14:00"], ["20:00", "21:00"]);
    expect(spot(both, "10:01", day)).toEqual(["yours", "12:05"]);
  });

  it("is 'taken' until another person's claim ends, though one's own comes next", () => {
    const next = claimed(["08:00", "10:00", "other"], ["10:00", "12:00"]);
    expect(spot(next, "09:58")).toEqual(["taken", undefined]);
  });

  it('is "yours" also where the claim takes a running window, but not where it leaves the rest', () => {
    const [own] = claimed(["10:05", "12:00"]).claims;
    const claims = own ? [{ ...own, availability_id: "w" }] : [];
    const times = { start_time: at("08:00"), end_time: at("12:00") };
    const known = { windows: [{ id: "w", ...times, is_claimed: true }], claims };
    expect(spot(known, "10:01")).toEqual(["yours", "10:05"]);
    const rest = { personId: "me", isOwn: false, restIsFree: true, limits: {} };
    const { kind } = stateOf({ ...known, ...rest, now: Date.parse(at("10:01")) });
    expect(kind).toBe("taken");
  });
});

describe("a window of which a part is claimed and a part is kept", () => {
  const window = {
    id: "w",
    start_time: at("08:00"),
    end_time: at("18:00"),
    is_claimed: false,
    free: [
      { start_time: at("08:00"), end_time: at("10:00") },
      { start_time: at("14:00"), end_time: at("18:00") },
    ],
  };
  const claim = {
    id: "c",
    availability_id: "w",
    claimer_id: "another",
    start_time: at("10:00"),
    end_time: at("12:00"),
    status: "active" as const,
  };
  const stateAt = (isOwn: boolean, claims: readonly Claim[]) => (time: string) => {
    const person = { personId: "me", isOwn, restIsFree: true, limits: {} };
    const state = stateOf({ windows: [window], claims, ...person, now: Date.parse(at(time)) });
    const end = state.part?.end ?? state.offer?.free.end;
    return [state.kind, end === undefined ? "" : new Date(end).toISOString().slice(11, 16)].join(
      " ",
    );
  };

  it("is shared, lent, kept and shared for its owner", () => {
    expect(["08:00", "10:00", "12:00", "14:00", "18:00"].map(stateAt(true, [claim]))).toEqual([
      "shared 10:00",
      "lent 12:00",
      "none ",
      "shared 18:00",
      "none ",
    ]);
  });

  it("is free or taken for others, who do not see claims", () => {
    expect(["08:00", "10:00", "12:00", "14:00", "18:00"].map(stateAt(false, []))).toEqual([
      "free 10:00",
      "taken 14:00",
      "taken 14:00",
      "free 18:00",
      "none ",
    ]);
  });
});
