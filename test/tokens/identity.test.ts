import { describe, expect, it } from "@jest/globals";
import { identityOf } from "../../src/tokens/identity.ts";
import { holdsForAll } from "../support/table.ts";
import type { Claims } from "../support/tokens.ts";
import { SUB } from "./lab.ts";

/** Expects what the identity takes of a claim with each of these values; without `taken`, nothing. */
const expectTaken = (
  claim: string,
  values: readonly unknown[],
  taken: (value: unknown) => Claims = () => ({}),
) =>
  holdsForAll(values, (value) =>
    expect(identityOf({ sub: SUB, [claim]: value })).toEqual({ sub: SUB, ...taken(value) }),
  );

describe("the subject", () => {
  it("is spelt in lower case, also when the provider uses upper case", () => {
    expect(identityOf({ sub: SUB.toUpperCase() })).toEqual({ sub: SUB });
  });

  it("comes alone when no other claim is usable", () => {
    expect(identityOf({ sub: SUB, name: "Ann", role: "admin" })).toEqual({ sub: SUB });
  });

  it("has the time of its token, where that is one", async () => {
    await expectTaken("iat", [1_798_797_600.5], (iat) => ({ iat }));
    await expectTaken("iat", [0, -1e300, "1798797600", null]);
  });

  it("cannot be changed", () => {
    expect(Object.isFrozen(identityOf({ sub: SUB }))).toBe(true);
  });
});

describe("the email", () => {
  const longest = `${"a".repeat(310)}@b.example`;

  it("is taken as it is spelt", async () => {
    const good = ["ann@example.org", "Ann+parking@EXAMPLE.org", "a@b", "josé@exämple.org", longest];
    await expectTaken("email", good, (email) => ({ email }));
    await expectTaken("email", ["  a@b\n"], () => ({ email: "a@b" }));
  });

  it("is left out where it is no address", () =>
    expectTaken("email", [
      ...[null, 1, ["ann@example.org"], "", "@", "a@", "@b", "ann", `a${longest}`],
      ...["ann@home@example.org", "an n@example.org", "ann@example.org, bob@example.org"],
      ...["\u0000", "\u0007", "\u202e", "\u2028", "\ud800"].map((c) => `ann${c}@example.org`),
    ]));
});

describe("the time of confirmation", () => {
  it("is taken in UTC", () =>
    holdsForAll(
      [
        ["2026-11-20t16:30:00z", "2026-11-20T16:30:00.000Z"],
        ["2026-11-20T16:30:00.123456Z", "2026-11-20T16:30:00.123Z"],
        ["2028-02-29T23:59:59-00:30", "2028-03-01T00:29:59.000Z"],
        ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"],
        ["9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"],
      ],
      ([email_confirmed_at, taken]) =>
        expect(identityOf({ sub: SUB, email_confirmed_at })).toEqual({
          sub: SUB,
          email_confirmed_at: taken,
        }),
    ));

  it("is left out where it is none", () =>
    expectTaken("email_confirmed_at", [
      ...[null, 1_795_000_000, "", "now", "infinity", "2026-11-20", "2026-11-20T16:30:00"],
      ...["2026-11-20 16:30:00Z", "2026-11-20T24:00:00Z", "2026-11-20T16:30:60Z"],
      ...["2026-11-20T16:30:00+24:00", "2026-02-30T16:30:00Z", "2026-13-01T16:30:00Z"],
      ...["0000-06-01T00:00:00Z", "0001-01-01T00:00:00+01:00", "9999-12-31T23:59:59-01:00"],
    ]));
});

it("email_verified is taken where it is true or false", async () => {
  await expectTaken("email_verified", [true, false], (email_verified) => ({ email_verified }));
  await expectTaken("email_verified", ["true", 1, null, []]);
});
