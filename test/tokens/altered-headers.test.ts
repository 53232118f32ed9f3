import { describe } from "@jest/globals";
import { type Claims, compactToken, type Part, signerOf, signToken } from "../support/tokens.ts";
import { type Alteration, describeRefusals, type Lab, tokenOf } from "./lab.ts";

/** Header parameters changed, added, or removed (undefined), under a valid signature. */
function header(what: string, because: RegExp, changes: (lab: Lab) => Claims): Alteration {
  const authorization = (lab: Lab) =>
    `Bearer ${tokenOf(lab, lab.claims, { ...lab.header, ...changes(lab) })}`;
  return { what, because, authorization };
}

/** A header that is not exactly the JSON of a header. */
function headerText(what: string, because: RegExp, make: (json: string) => Part): Alteration {
  const authorization = (lab: Lab) =>
    `Bearer ${tokenOf(lab, lab.claims, make(JSON.stringify(lab.header)))}`;
  return { what, because, authorization };
}

/** The attacker's own token, with our claims and a header that says where its key is. */
function attack(what: string, because: RegExp, changes: (lab: Lab) => Claims): Alteration {
  const authorization = (lab: Lab) =>
    `Bearer ${signToken(lab.attackerKey, lab.claims, changes(lab))}`;
  return { what, because, authorization };
}

const badAlgorithm = (alg: unknown) =>
  header(`alg ${JSON.stringify(alg) ?? "left out"}`, /^alg is not/, () => ({ alg }));

function unsigned(alg: string): Alteration {
  const noSignature = () => Buffer.alloc(0);
  const authorization = (lab: Lab) =>
    `Bearer ${compactToken({ ...lab.header, alg }, lab.claims, noSignature)}`;
  return { what: `alg ${alg} without a signature`, because: /canonical/, authorization };
}

describe("the algorithm", () => {
  describeRefusals([
    badAlgorithm(undefined),
    badAlgorithm(null),
    badAlgorithm(256),
    badAlgorithm(""),
    badAlgorithm(["ES256"]),
    badAlgorithm({ name: "ES256" }),
    badAlgorithm("none"),
    badAlgorithm("None"),
    badAlgorithm("nOnE"),
    unsigned("none"),
    unsigned("NONE"),
    badAlgorithm("es256"),
    badAlgorithm("hs256"),
    badAlgorithm("ES256 "),
    badAlgorithm("HS384"),
    badAlgorithm("HS512"),
    badAlgorithm("RS384"),
    badAlgorithm("RS512"),
    badAlgorithm("PS384"),
    badAlgorithm("PS512"),
    badAlgorithm("ES384"),
    badAlgorithm("ES512"),
    badAlgorithm("ES256K"),
    badAlgorithm("Ed448"),
    badAlgorithm("ML-DSA-44"),
    badAlgorithm("RSA-OAEP-256"),
    badAlgorithm("dir"),
    badAlgorithm("constructor"),
  ]);
});

const badType = (typ: unknown) =>
  header(`typ ${JSON.stringify(typ)}`, /^typ is not/, () => ({ typ }));

describe("the type", () => {
  describeRefusals([
    badType(null),
    badType(1),
    badType(["JWT"]),
    badType(""),
    badType("JWE"),
    badType("JOSE"),
    badType("id+jwt"),
    badType("logout+jwt"),
    badType("secevent+jwt"),
    badType("dpop+jwt"),
    badType("rt+jwt"),
    badType("application/logout+jwt"),
    badType("application/application/jwt"),
    badType("japplication/wt"),
    badType("jwt; charset=utf-8"),
  ]);
});

const badKeyId = (kid: unknown) =>
  header(`kid ${JSON.stringify(kid)}`, /^kid is not/, () => ({ kid }));

describe("the key id", () => {
  describeRefusals([
    badKeyId(null),
    badKeyId(0),
    badKeyId(true),
    badKeyId(["the-key"]),
    badKeyId({ kid: "the-key" }),
  ]);
});

const keyUrl = ({ attacker }: Lab) => `${attacker.origin}/jwks`;

describe("a key that the token brings or points to", () => {
  describeRefusals([
    attack("jku to the attacker's keys", /has jku/, (lab) => ({ jku: keyUrl(lab) })),
    attack("x5u to the attacker's certificate", /has x5u/, (lab) => ({ x5u: keyUrl(lab) })),
    attack("jwk of the attacker", /has jwk/, ({ attackerKey }) => ({
      jwk: attackerKey.publicJwk,
    })),
    attack("x5c of the attacker", /has x5c/, () => ({ x5c: ["MIIB"] })),
    attack("kid that is an address", /./, (lab) => ({ kid: keyUrl(lab) })),
    attack("jku without kid", /has jku/, (lab) => ({ jku: keyUrl(lab), kid: undefined })),
    header("jku in a token well signed", /has jku/, (lab) => ({ jku: keyUrl(lab) })),
    header("x5u in a token well signed", /has x5u/, (lab) => ({ x5u: keyUrl(lab) })),
    header("jwk in a token well signed", /has jwk/, ({ attackerKey }) => ({
      jwk: attackerKey.publicJwk,
    })),
    header("x5c in a token well signed", /has x5c/, () => ({ x5c: ["MIIB"] })),
    header("jku null", /has jku/, () => ({ jku: null })),
    attack("nothing but the attacker's signature", /./, () => ({})),
    {
      what: "the attacker's signature under our header",
      because: /./,
      authorization: ({ header: ours, claims, attackerKey }) =>
        `Bearer ${compactToken(ours, claims, signerOf("ES256", attackerKey.privateKey))}`,
    },
  ]);
});

describe("critical extensions", () => {
  describeRefusals([
    header("crit of exp", /has crit/, ({ claims }) => ({ crit: ["exp"], exp: claims.exp })),
    header("crit of something unknown", /has crit/, () => ({ crit: ["x"], x: 1 })),
    header("crit empty", /has crit/, () => ({ crit: [] })),
    header("crit null", /has crit/, () => ({ crit: null })),
    header("crit a string", /has crit/, () => ({ crit: "b64" })),
    header("crit of b64 true", /has crit/, () => ({ crit: ["b64"], b64: true })),
    header("crit of b64 false", /has crit/, () => ({ crit: ["b64"], b64: false })),
    header("b64 true", /has b64/, () => ({ b64: true })),
    header("b64 false", /has b64/, () => ({ b64: false })),
  ]);
});

describe("the header's form", () => {
  describeRefusals([
    headerText("a header that is an array", /not an object/, (json) => `[${json}]`),
    headerText("a header that is a string", /not an object/, (json) => JSON.stringify(json)),
    headerText("a header that is null", /not an object/, () => "null"),
    headerText("a header that is text", /JSON/, () => "alg=ES256"),
    headerText("a header cut short", /JSON/, (json) => json.slice(0, -1)),
    headerText("a header with something after it", /JSON/, (json) => `${json}{}`),
    headerText("a header after a byte order mark", /JSON/, (json) => `\uFEFF${json}`),
    headerText(
      "a deeply nested header",
      /./,
      () => `{"a":${"[".repeat(2_900)}${"]".repeat(2_900)}}`,
    ),
    headerText("a header with a byte of no UTF-8", /encoded data/, (json) =>
      Buffer.from(json.replace("{", '{"x":"\xff",'), "latin1"),
    ),
    headerText("alg twice", /twice/, (json) => json.replace("{", '{"alg":"none",')),
    headerText("alg twice, once in disguise", /twice/, (json) =>
      json.replace("{", '{"\\u0061lg":"none",'),
    ),
    headerText("typ twice", /twice/, (json) => json.replace("{", '{"typ":"logout+jwt",')),
  ]);
});
