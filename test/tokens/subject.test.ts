import { describe, expect, it } from "@jest/globals";
import { mappedSubject, uuidV5 } from "../../src/tokens/identity.ts";
import { createTokenVerifier } from "../../src/tokens/verifier.ts";
import { compactToken, hmacSigner, usualClaims } from "../support/tokens.ts";
import { AUDIENCE, expectRefusal, NOW, SECRET, SUB } from "./lab.ts";

const issuer = "https://issuer.example";

const verifierWith = (subIsUuid: boolean) =>
  createTokenVerifier({ issuer, audience: AUDIENCE, secret: SECRET, subIsUuid, clock: () => NOW });

const bearer = (sub: unknown) => {
  const claims = { ...usualClaims(issuer, AUDIENCE, NOW), sub };
  return `Bearer ${compactToken({ alg: "HS256", typ: "JWT" }, claims, hmacSigner(SECRET))}`;
};

it("a UUID of version 5 is the one of RFC 9562, A.4", () => {
  const dns = "6ba7b810-9dad-11d1-80b4-00c04fd430c8";

  expect(uuidV5(dns, "www.example.com")).toBe("2ed6657d-e927-568b-95e1-2665a8aea6a2");
});

describe("with AUTH_SUB_IS_UUID=false, the caller", () => {
  const subjectOf = async (sub: string) => (await verifierWith(false).verify(bearer(sub))).sub;

  it("is a UUID made from the issuer and sub", async () => {
    // Written down: other ids would make every resident a stranger.
    expect(await subjectOf("auth0|507f1f77bcf86cd799439011")).toBe(
      "99705d5f-8a8f-5514-b484-67f5e39e1bc0",
    );
  });

  it("is the same for the same sub, and another for any other", async () => {
    const subjects = ["a", "A", "a ", "ä", "auth0|1", "google-oauth2|1", SUB, SUB.toUpperCase()];
    const ids = await Promise.all(subjects.map(subjectOf));

    expect(new Set(ids).size).toBe(subjects.length);
    expect(await Promise.all(subjects.map(subjectOf))).toEqual(ids);
  });

  it("is another for another issuer", () => {
    expect(mappedSubject("https://other.example", "auth0|1")).not.toBe(
      mappedSubject(issuer, "auth0|1"),
    );
  });

  it.each(["", 1, null, ["a"], "x".repeat(256), "\ud800"])("cannot be %j", async (sub) => {
    await expectRefusal(verifierWith(false), bearer(sub), /^sub is not/);
  });
});

describe("with AUTH_SUB_IS_UUID=true, the caller", () => {
  it("is sub", async () => {
    expect(await verifierWith(true).verify(bearer(SUB))).toMatchObject({ sub: SUB });
  });

  it("cannot be what is no UUID", async () => {
    await expectRefusal(verifierWith(true), bearer("auth0|1"), /^sub is not a UUID$/);
  });
});
