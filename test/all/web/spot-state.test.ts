import { describe, expect, it } from "@jest/globals";

interface Row {
  readonly id: string;
  readonly start_time: string;
  readonly end_time: string;
}
interface Window extends Row {
  readonly is_claimed: boolean;
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
    readonly personId: string;
    readonly isOwn: boolean;
    readonly now: number;
  }): { readonly kind: string; readonly claim?: Claim };
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

describe("a spot, for somebody who stands before it", () => {
  const spot = (known: ReturnType<typeof claimed>, now: string, notice = 0) => {
    const limits = { claim_notice_minutes: notice };
    const person = { personId: "me", isOwn: false };
    const { kind, claim } = stateOf({ ...known, ...person, limits, now: Date.parse(at(now)) });
    return [kind, claim?.id];
  };

  it("is theirs while they have claimed it, also where they have it again later", () => {
    const twice = claimed(["08:00", "12:00"], ["16:00", "18:00"]);
    expect(spot(twice, "09:00", day)).toEqual(["yours", "08:00"]);
    const on = claimed(["08:00", "10:00"], ["10:00", "12:00"]);
    expect(spot(on, "09:58")).toEqual(["yours", "08:00"]);
    expect(spot(on, "10:00")).toEqual(["yours", "10:00"]);
  });

  it("is theirs from when they claim it, as claims begin some minutes later, or after the notice", () => {
    expect(spot(claimed(["10:05", "12:00"]), "10:01")).toEqual(["yours", "10:05"]);
    expect(spot(claimed(["12:05", "14:00"]), "10:01")).toEqual(["none", undefined]);
    const both = claimed(["12:05", "14:00"], ["20:00", "21:00"]);
    expect(spot(both, "10:01", day)).toEqual(["yours", "12:05"]);
  });

  it("is taken until somebody else's claim ends, though theirs comes next", () => {
    const next = claimed(["08:00", "10:00", "other"], ["10:00", "12:00"]);
    expect(spot(next, "09:58")).toEqual(["taken", undefined]);
  });
});
