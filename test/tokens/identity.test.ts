import { describe, expect, it } from "@jest/globals";
import { identityOf } from "../../src/tokens/identity.ts";
import { SUB } from "./lab.ts";

describe("the subject", () => {
  it("is spelt in lower case, also when the provider uses upper case", () => {
    expect(identityOf({ sub: SUB.toUpperCase() })).toEqual({ sub: SUB });
  });

  it("comes alone when no other claim is usable", () => {
    expect(identityOf({ sub: SUB, name: "Ann", role: "admin" })).toEqual({ sub: SUB });
  });

  it.each([
    [1_798_797_600.5, 1_798_797_600.5],
    [0, undefined],
    [-1e300, undefined],
    ["1798797600", undefined],
    [null, undefined],
  ])("has iat %j as %j", (iat, taken) => {
    expect(identityOf({ sub: SUB, iat })).toEqual({ sub: SUB, iat: taken });
  });

  it("cannot be changed", () => {
    expect(Object.isFrozen(identityOf({ sub: SUB }))).toBe(true);
  });
});

const longest = `${"a".repeat(310)}@b.example`;

describe("the email", () => {
  it.each([
    ["ann@example.org", "ann@example.org"],
    ["  ann@example.org\n", "ann@example.org"],
    ["Ann+parking@EXAMPLE.org", "Ann+parking@EXAMPLE.org"],
    ["a@b", "a@b"],
    ["josé@exämple.org", "josé@exämple.org"],
    [longest, longest],
  ])("%j is taken", (email, taken) => {
    expect(identityOf({ sub: SUB, email })).toEqual({ sub: SUB, email: taken });
  });

  it.each([
    null,
    1,
    ["ann@example.org"],
    "",
    "@",
    "a@",
    "@b",
    "ann",
    "ann@home@example.org",
    "an n@example.org",
    "ann@example.org, bob@example.org",
    "ann\u0000@example.org",
    "ann\u0007@example.org",
    "ann\u202e@example.org",
    "ann\u2028@example.org",
    "ann\ud800@example.org",
    `a${longest}`,
  ])("%j is left out", (email) => {
    expect(identityOf({ sub: SUB, email })).toEqual({ sub: SUB });
  });
});

describe("the time of confirmation", () => {
  it.each([
    ["2026-11-20T16:30:00Z", "2026-11-20T16:30:00.000Z"],
    ["2026-11-20T16:30:00.123456Z", "2026-11-20T16:30:00.123Z"],
    ["2026-11-20t16:30:00z", "2026-11-20T16:30:00.000Z"],
    ["2026-11-20T16:30:00+02:00", "2026-11-20T14:30:00.000Z"],
    ["2028-02-29T23:59:59-00:30", "2028-03-01T00:29:59.000Z"],
    ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"],
    ["9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"],
  ])("%s is taken", (confirmed, taken) => {
    expect(identityOf({ sub: SUB, email_confirmed_at: confirmed })).toEqual({
      sub: SUB,
      email_confirmed_at: taken,
    });
  });

  it.each([
    null,
    1_795_000_000,
    "",
    "now",
    "infinity",
    "2026-11-20",
    "2026-11-20T16:30:00",
    "2026-11-20 16:30:00Z",
    "2026-11-20T24:00:00Z",
    "2026-11-20T16:30:60Z",
    "2026-11-20T16:30:00+24:00",
    "2026-02-30T16:30:00Z",
    "2026-02-32T16:30:00Z",
    "2026-13-01T16:30:00Z",
    "0000-06-01T00:00:00Z",
    "0001-01-01T00:00:00+01:00",
    "9999-12-31T23:59:59-01:00",
    "+010000-01-01T00:00:00Z",
  ])("%j is left out", (confirmed) => {
    expect(identityOf({ sub: SUB, email_confirmed_at: confirmed })).toEqual({ sub: SUB });
  });
});

describe("email_verified", () => {
  it.each([true, false])("%j is taken", (verified) => {
    const identity = identityOf({ sub: SUB, email_verified: verified });
    expect(identity).toEqual({ sub: SUB, email_verified: verified });
  });

  it.each(["true", 1, null, []])("%j is left out", (verified) => {
    expect(identityOf({ sub: SUB, email_verified: verified })).toEqual({ sub: SUB });
  });
});
