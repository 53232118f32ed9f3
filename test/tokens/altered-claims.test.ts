import { describe } from "@jest/globals";
import type { Claims, Part } from "../support/tokens.ts";
import {
  type Alteration,
  AUDIENCE,
  describeRefusals,
  type Lab,
  NOW_SECONDS,
  SUB,
  tokenOf,
} from "./lab.ts";

/** Claims changed, added, or removed (undefined). */
function claims(what: string, because: RegExp, changes: (lab: Lab) => Claims): Alteration {
  const authorization = (lab: Lab) => `Bearer ${tokenOf(lab, { ...lab.claims, ...changes(lab) })}`;
  return { what, because, authorization };
}

/** A payload that is not exactly the JSON of a set of claims. */
function payload(what: string, because: RegExp, make: (json: string) => Part): Alteration {
  const authorization = (lab: Lab) => `Bearer ${tokenOf(lab, make(JSON.stringify(lab.claims)))}`;
  return { what, because, authorization };
}

const badSubject = (what: string, sub: unknown) => claims(what, /^sub is not/, () => ({ sub }));

describe("the subject", () => {
  describeRefusals([
    badSubject("no sub", undefined),
    badSubject("sub null", null),
    badSubject("sub true", true),
    badSubject("sub a number", 42),
    badSubject("sub empty", ""),
    badSubject("sub a name", "alice"),
    badSubject("sub in an array", [SUB]),
    badSubject("sub an object", { id: SUB }),
    badSubject("sub a UUID without hyphens", SUB.replaceAll("-", "")),
    badSubject("sub a UUID in braces", `{${SUB}}`),
    badSubject("sub a URN", `urn:uuid:${SUB}`),
    badSubject("sub with a line feed", `${SUB}\n`),
    badSubject("sub with a space", ` ${SUB}`),
    badSubject("sub two UUIDs", `${SUB}${SUB}`),
    badSubject("sub one digit short", SUB.slice(1)),
    badSubject("sub with a digit that is none", SUB.replace("0", "g")),
  ]);
});

const badTime = (what: string, time: Claims) => claims(what, /finite number/, () => time);
const early = (what: string, time: Claims) => claims(what, /not valid yet/, () => time);
const late = (what: string, time: Claims) => claims(what, /expired/, () => time);

describe("the times", () => {
  describeRefusals([
    badTime("no exp", { exp: undefined }),
    badTime("exp null", { exp: null }),
    badTime("exp true", { exp: true }),
    badTime("exp as text", { exp: String(NOW_SECONDS + 60) }),
    badTime("exp as a date", { exp: "2999-01-01T00:00:00Z" }),
    badTime("exp in an array", { exp: [NOW_SECONDS + 60] }),
    badTime("exp beyond all time", { exp: 1e306 }),
    payload("exp infinite", /exp is not a finite number/, (json) =>
      json.replace(/"exp":\d+/, '"exp":1e999'),
    ),
    late("exp passed by the tolerance", { exp: NOW_SECONDS - 5 }),
    late("exp passed by a day", { exp: NOW_SECONDS - 86_400 }),
    late("exp zero", { exp: 0 }),
    late("exp negative", { exp: -NOW_SECONDS }),
    badTime("nbf null", { nbf: null }),
    badTime("nbf as text", { nbf: "0" }),
    early("nbf past the tolerance", { nbf: NOW_SECONDS + 5.001 }),
    early("nbf in an hour", { nbf: NOW_SECONDS + 3_600 }),
    badTime("iat null", { iat: null }),
    badTime("iat as text", { iat: String(NOW_SECONDS) }),
    badTime("iat false", { iat: false }),
    early("iat past the tolerance", { iat: NOW_SECONDS + 5.001 }),
    early("iat in milliseconds", { iat: NOW_SECONDS * 1_000 }),
  ]);
});

const badIssuer = (what: string, iss: (issuer: string) => unknown) =>
  claims(what, /^iss is not/, (lab) => ({ iss: iss(String(lab.claims.iss)) }));

describe("the issuer", () => {
  describeRefusals([
    badIssuer("no iss", () => undefined),
    badIssuer("iss null", () => null),
    badIssuer("iss empty", () => ""),
    badIssuer("another iss", () => "https://evil.example"),
    badIssuer("iss in an array", (issuer) => [issuer]),
    badIssuer("iss with a slash more", (issuer) => `${issuer}/`),
    badIssuer("iss with a path more", (issuer) => `${issuer}/realms/other`),
    badIssuer("iss in capitals", (issuer) => issuer.toUpperCase()),
    badIssuer("iss with a space", (issuer) => `${issuer} `),
    claims("the attacker's iss", /^iss is not/, ({ attacker }) => ({ iss: attacker.origin })),
  ]);
});

const badAudience = (what: string, aud: unknown) => claims(what, /^aud does not/, () => ({ aud }));

describe("the audience", () => {
  describeRefusals([
    badAudience("no aud", undefined),
    badAudience("aud null", null),
    badAudience("aud empty", ""),
    badAudience("another aud", "library"),
    badAudience("aud in capitals", AUDIENCE.toUpperCase()),
    badAudience("aud with our name in it", `${AUDIENCE}-admin`),
    badAudience("aud of several names in one string", `library ${AUDIENCE}`),
    badAudience("aud an empty array", []),
    badAudience("aud an array of others", ["library", "laundry"]),
    badAudience("aud an array with a number in it", [AUDIENCE, 1]),
    badAudience("aud an array in an array", [[AUDIENCE]]),
    badAudience("aud an object", { [AUDIENCE]: true }),
  ]);
});

const foreign = (what: string, changes: Claims) => claims(what, /access token/, () => changes);

describe("the kind of token", () => {
  describeRefusals([
    foreign("an ID token, by its nonce", { nonce: "n-0S6_WzA2Mj" }),
    foreign("an ID token, by a null nonce", { nonce: null }),
    foreign("an ID token, by its at_hash", { at_hash: "77QmUPtjPfzWtF2AnpK9RQ" }),
    foreign("an ID token, by its c_hash", { c_hash: "LDktKdoQak3Pk0cnXxCltA" }),
    foreign("an ID token of Keycloak", { typ: "ID" }),
    foreign("an ID token of Cognito", { token_use: "id" }),
    foreign("a refresh token of Keycloak", { typ: "Refresh" }),
    foreign("an offline token of Keycloak", { typ: "Offline" }),
    foreign("a refresh token by token_use", { token_use: "refresh" }),
    foreign("a refresh token by token_type", { token_type: "refresh" }),
    foreign("a logout token, by its events", {
      events: { "http://schemas.openid.net/event/backchannel-logout": {} },
    }),
    foreign("a logout token of Keycloak", { typ: "Logout" }),
  ]);
});

describe("the payload", () => {
  describeRefusals([
    payload("a payload that is an array", /not an object/, (json) => `[${json}]`),
    payload("a payload that is a string", /not an object/, (json) => JSON.stringify(json)),
    payload("a payload that is a number", /not an object/, () => "1"),
    payload("a payload that is null", /not an object/, () => "null"),
    payload("a payload that is text", /JSON/, () => "sub=alice"),
    payload("a payload cut short", /JSON/, (json) => json.slice(0, -1)),
    payload("a payload with something after it", /JSON/, (json) => `${json}x`),
    payload("a payload of two objects", /JSON/, (json) => json + json),
    payload("a payload with a comma too many", /JSON/, (json) => json.replace("}", ",}")),
    payload("a payload after a byte order mark", /JSON/, (json) => `\uFEFF${json}`),
    payload("a payload with a byte of no UTF-8", /encoded data/, (json) =>
      Buffer.from(`\xff${json}`, "latin1"),
    ),
    payload("a payload in Latin-1", /encoded data/, (json) =>
      Buffer.from(json.replace("{", '{"name":"José",'), "latin1"),
    ),
    payload("sub twice", /twice/, (json) => json.replace("{", `{"sub":"${SUB}",`)),
    payload("sub twice, once in disguise", /twice/, (json) =>
      json.replace("{", `{"s\\u0075b":"${SUB}",`),
    ),
    payload("exp twice", /twice/, (json) => json.replace("{", '{"exp":9999999999,')),
    payload("a member twice further in", /twice/, (json) =>
      json.replace("{", '{"app":{"roles":[{"a":1,"a":2}]},'),
    ),
    payload("a member twice among strings with colons", /twice/, (json) =>
      json.replace("{", '{"a":"\\":\\\\","b":":","b":":",'),
    ),
  ]);
});
