import { describe, expect, it } from "@jest/globals";
import { opened } from "../support/opened.ts";
import { holdsForAll } from "../support/table.ts";
import { type Claims, compactToken, encodePart, type Part, signToken } from "../support/tokens.ts";
import { AUDIENCE, CALLER, expectRefusal, labs, NOW_SECONDS, SUB, tokenOf } from "./lab.ts";

/** Changes of a good token, by the reason that the log gives for refusing it. */
type Table<Change> = readonly (readonly [because: RegExp, ...changes: Change[]])[];

const later = NOW_SECONDS + 60;

/** Claims changed, added, or removed (undefined). */
const claims: Table<Claims> = [
  [/^sub is not/, ...[undefined, null, 42, "", "alice", [SUB], `{${SUB}}`].map((sub) => ({ sub }))],
  [/^sub is not/, ...[`${SUB}\n`, ` ${SUB}`, `${SUB}${SUB}`, SUB.slice(1)].map((sub) => ({ sub }))],
  [/^exp is not a finite/, ...[undefined, null, true, `${later}`, 1e306].map((exp) => ({ exp }))],
  [/^nbf is not a finite number/, { nbf: null }, { nbf: "0" }],
  [/^iat is not a finite number/, { iat: null }, { iat: `${NOW_SECONDS}` }],
  [/has expired/, { exp: NOW_SECONDS - 5 }, { exp: 0 }, { exp: -NOW_SECONDS }],
  [/not valid yet/, { nbf: NOW_SECONDS + 5.001 }],
  [/not valid yet/, { iat: NOW_SECONDS + 5.001 }, { iat: NOW_SECONDS * 1_000 }],
  [/^iss is not/, ...[undefined, null, "", "https://evil.example"].map((iss) => ({ iss }))],
  [/^aud does not/, ...[undefined, null, "", "library", {}, []].map((aud) => ({ aud }))],
  [/^aud does not/, { aud: `${AUDIENCE}-admin` }, { aud: `library ${AUDIENCE}` }],
  [/^aud does not/, { aud: ["library", "laundry"] }, { aud: [AUDIENCE, 1] }, { aud: [[AUDIENCE]] }],
  [/access token has no/, { nonce: null }, { at_hash: "x" }, { c_hash: "x" }, { events: {} }],
  [
    /^typ is not an access token's/,
    ...["ID", "Refresh", "Offline", "Logout"].map((typ) => ({ typ })),
  ],
  [
    /not an access token's/,
    { token_use: "id" },
    { token_use: "refresh" },
    { token_type: "refresh" },
  ],
];

const notStrings = [null, 256, ["the-key"], { kid: "the-key" }];

/** Header parameters changed, added, or removed (undefined), under a valid signature. */
const headers: Table<Claims> = [
  [
    /^alg is not/,
    ...[undefined, "", "none", "nOnE", "es256", ...notStrings].map((alg) => ({ alg })),
  ],
  [/^alg is not/, ...["HS384", "RS512", "ES384", "constructor"].map((alg) => ({ alg }))],
  [/^typ is not/, ...["", "JWE", "id+jwt", "logout+jwt", ...notStrings].map((typ) => ({ typ }))],
  [/^typ is not/, { typ: "application/application/jwt" }, { typ: "jwt; charset=utf-8" }],
  [/^kid is not/, ...notStrings.map((kid) => ({ kid }))],
  [/has jku/, { jku: "https://evil.example/jwks" }, { jku: null }],
  [/has x5u/, { x5u: "https://evil.example/jwks" }],
  [/has x5c/, { x5c: ["MIIB"] }],
  [/has crit/, { crit: ["exp"], exp: later }, { crit: [] }, { crit: ["b64"], b64: false }],
  [/has b64/, { b64: true }],
];

const withMember = (member: string) => (json: string) => json.replace("{", `{${member},`);

/** A header or a payload that is not exactly the JSON of one object. */
const notOneObject: Table<(json: string) => Part> = [
  [/not an object/, (json) => `[${json}]`, (json) => JSON.stringify(json), () => "null", () => "1"],
  [/JSON/, () => "sub=alice", (json) => json.slice(0, -1), (json) => json + json],
  [/JSON/, (json) => `\uFEFF${json}`, (json) => json.replace("}", ",}")],
  [/encoded data/, (json) => Buffer.from(withMember('"name":"José"')(json), "latin1")],
  [/twice/, withMember('"alg":0,"alg":1'), withMember('"iss":"","\\u0069ss":""')],
  [/twice/, withMember('"app":{"roles":[{"a":1,"a":2}]}')],
  [/twice/, withMember('"a":"\\":\\\\","b":":","b":":"')],
];

/** Sets a bit of the last character that the bytes do not have. */
const withUnusedBit = (part: string): string => {
  const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  return part.slice(0, -1) + digits.charAt(digits.indexOf(part.slice(-1)) | 1);
};

/** Other parts instead of the three of a good token. */
const parts: Table<(header: string, payload: string, signature: string) => readonly string[]> = [
  [/compact JWS/, (header) => [header], (header, payload) => [header, payload]],
  [/compact JWS/, (...all) => [...all, ""], (...all) => [...all, "AAAA", "AAAA"]],
  [/canonical/, () => ["", "", ""], (header, payload) => [header, payload, ""]],
  [/canonical/, (_, ...rest) => ["", ...rest], (header, _, signature) => [header, "", signature]],
  [/canonical/, (header, payload, signature) => [header, payload, withUnusedBit(signature)]],
  [/canonical/, (header, payload, signature) => [header, payload, `${signature}=`]],
  [/canonical/, (header, payload, signature) => [header, payload, `${signature}~`]],
  [/verification/, (header, payload) => [header, payload, "AAAA"]],
  [/verification/, (header, _, signature) => [header, encodePart({ sub: SUB }), signature]],
];

/** What may stand in an Authorization header instead of `Bearer <token>`. */
const credentials: Table<(token: string) => string> = [
  [/b64token/, (good) => `Bearer ${good} ${good}`, (good) => `Bearer ${good}, Bearer ${good}`],
  [/b64token/, (good) => `Bearer Bearer ${good}`, (good) => `Bearer\t${good}`],
  [/b64token/, (good) => `Bearer "${good}"`, (good) => `Bearer token=${good}`],
  [/b64token/, (good) => `Bearer ${good}\n`, (good) => `Bearer ${good}\0`],
  [/b64token/, (good) => `Bearer ${good.replace(".", ". ")}`, (good) => `Bearer ${good}é`],
  [/too long/, () => `Bearer ${"A".repeat(8_193)}`],
];

describe.each(Object.entries(labs))("a token verified with %s", (_keys, open) => {
  const lab = opened(open, (one) => one.close());

  /** Refuses each change for its reason, and asks nobody whom the token names. */
  async function refuses<Change>(table: Table<Change>, authorization: (change: Change) => string) {
    expect(await lab.verifier.verify(`Bearer ${tokenOf(lab)}`)).toEqual(CALLER);
    const rows = table.flatMap(([because, ...changes]) =>
      changes.map((change) => ({ because, change, written: String(change) })),
    );
    await holdsForAll(rows, ({ because, change }) =>
      expectRefusal(lab.verifier, authorization(change), because),
    );
    expect(lab.attacker.requests).toEqual([]);
  }

  it("is refused for its claims", () =>
    refuses(claims, (changes) => `Bearer ${tokenOf(lab, { ...lab.claims, ...changes })}`));

  it("is refused for its header", () =>
    refuses(
      headers,
      (changes) => `Bearer ${tokenOf(lab, lab.claims, { ...lab.header, ...changes })}`,
    ));

  it("is refused where a part is not one JSON object", async () => {
    await refuses(
      notOneObject,
      (change) => `Bearer ${tokenOf(lab, change(JSON.stringify(lab.claims)))}`,
    );
    await refuses(
      notOneObject,
      (change) => `Bearer ${tokenOf(lab, lab.claims, change(JSON.stringify(lab.header)))}`,
    );
  });

  it("is refused where exp is infinite", async () => {
    const payload = JSON.stringify(lab.claims).replace(/"exp":\d+/, '"exp":1e999');
    await expectRefusal(lab.verifier, `Bearer ${tokenOf(lab, payload)}`, /^exp is not a finite/);
  });

  it("is refused in another spelling", async () => {
    await refuses(parts, (change) => {
      const [header = "", payload = "", signature = ""] = tokenOf(lab).split(".");
      return `Bearer ${change(header, payload, signature).join(".")}`;
    });
    await refuses(credentials, (change) => change(tokenOf(lab)));
  });

  it("is refused without a signature, and with an attacker's", async () => {
    const { attacker, attackerKey, verifier } = lab;
    const jku = `${attacker.origin}/jwks`;
    const unsigned = compactToken({ ...lab.header, alg: "none" }, lab.claims, () =>
      Buffer.alloc(0),
    );
    const attack = (header: Claims) => `Bearer ${signToken(attackerKey, lab.claims, header)}`;

    await expectRefusal(verifier, `Bearer ${unsigned}`, /canonical/);
    await expectRefusal(verifier, attack({}), /verification|^alg is not/);
    await expectRefusal(verifier, attack({ kid: jku }), /no applicable key|^alg is not/);
    await expectRefusal(verifier, attack({ jku }), /has jku/);
    await expectRefusal(verifier, attack({ jwk: attackerKey.publicJwk }), /has jwk/);
    expect(attacker.requests).toEqual([]);
  });
});
