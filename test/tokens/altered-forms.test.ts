import { describe } from "@jest/globals";
import { type Claims, encodePart } from "../support/tokens.ts";
import { type Alteration, describeRefusals, type Lab, NOW_SECONDS, tokenOf } from "./lab.ts";

/** Another spelling of a good token. */
function token(what: string, because: RegExp, respell: (token: string, lab: Lab) => string) {
  const authorization = (lab: Lab) => `Bearer ${respell(tokenOf(lab), lab)}`;
  return { what, because, authorization } satisfies Alteration;
}

/** Other parts instead of the three of a good token. */
function parts(what: string, because: RegExp, change: (parts: string[]) => string[]) {
  return token(what, because, (good) => change(good.split(".")).join("."));
}

/** A good token in a header that is not `Bearer <token>`. */
function authorization(what: string, make: (token: string) => string): Alteration {
  return { what, because: /b64token/, authorization: (lab) => make(tokenOf(lab)) };
}

const replacePart = (index: number, change: (part: string) => string) => (all: string[]) =>
  all.map((part, at) => (at === index ? change(part) : part));

describe("the Authorization header", () => {
  describeRefusals([
    authorization("two tokens with a space between", (good) => `Bearer ${good} ${good}`),
    authorization("two tokens with a comma between", (good) => `Bearer ${good},${good}`),
    authorization("two headers joined to one", (good) => `Bearer ${good}, Bearer ${good}`),
    authorization("the scheme twice", (good) => `Bearer Bearer ${good}`),
    authorization("a tab after the scheme", (good) => `Bearer\t${good}`),
    authorization("a token in quotation marks", (good) => `Bearer "${good}"`),
    authorization("a token as a parameter", (good) => `Bearer token=${good}`),
    authorization("a token and a parameter", (good) => `Bearer ${good}, realm="parking"`),
    authorization("a token with a semicolon", (good) => `Bearer ${good};`),
    authorization("a token with a line feed", (good) => `Bearer ${good}\n`),
    authorization("a token with a null character", (good) => `Bearer ${good}\0`),
    authorization("a token with a space in it", (good) => `Bearer ${good.replace(".", ". ")}`),
    authorization("a token with a letter beyond ASCII", (good) => `Bearer ${good}é`),
    authorization("a token in JSON serialization", (good) => {
      const [header, payload, signature] = good.split(".");
      return `Bearer ${JSON.stringify({ protected: header, payload, signature })}`;
    }),
    authorization("a percent-encoded token", (good) => `Bearer ${good.replaceAll(".", "%2E")}`),
  ]);
});

describe("the number of parts", () => {
  describeRefusals([
    parts("one part", /compact JWS/, ([header = ""]) => [header]),
    parts("no signature and no dot for it", /compact JWS/, (all) => all.slice(0, 2)),
    parts("a fourth part", /compact JWS/, (all) => [...all, "AAAA"]),
    parts("a fourth part, empty", /compact JWS/, (all) => [...all, ""]),
    parts("a dot before all", /compact JWS/, (all) => ["", ...all]),
    parts("two dots for one", /compact JWS/, ([header = "", ...rest]) => [header, "", ...rest]),
    parts("the five parts of a JWE", /compact JWS/, (all) => [...all, "AAAA", "AAAA"]),
    parts(
      "an empty header",
      /canonical/,
      replacePart(0, () => ""),
    ),
    parts(
      "an empty payload",
      /canonical/,
      replacePart(1, () => ""),
    ),
    parts(
      "an empty signature",
      /canonical/,
      replacePart(2, () => ""),
    ),
    parts("nothing but dots", /canonical/, () => ["", "", ""]),
    parts("the parts in reverse", /JSON|encoded data/, (all) => all.reverse()),
  ]);
});

const BASE64URL = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** Sets a bit of the last character that the bytes do not have. */
const withUnusedBit = (part: string): string =>
  part.slice(0, -1) + BASE64URL.charAt(BASE64URL.indexOf(part.slice(-1)) | 1);

/** JSON whose length leaves bits of its last character unused. */
const uneven = (value: Claims): string => {
  const json = JSON.stringify(value);
  return json.length % 3 === 0 ? `${json} ` : json;
};

/** JSON whose length leaves no bits unused. */
const even = (value: Claims): string => {
  const json = JSON.stringify(value);
  return json.padEnd(3 * Math.ceil(json.length / 3));
};

/** A header and payload in another spelling, which the issuer has signed. */
function respelt(what: string, because: RegExp, respell: (lab: Lab) => [string, string]) {
  const authorization = (lab: Lab) => {
    const input = respell(lab).join(".");
    return `Bearer ${input}.${encodePart(lab.signer(Buffer.from(input)))}`;
  };
  return { what, because, authorization } satisfies Alteration;
}

describe("base64url", () => {
  describeRefusals([
    respelt("padding after the header", /b64token/, ({ header, claims }) => [
      `${encodePart(header)}=`,
      encodePart(claims),
    ]),
    respelt("padding after the payload", /b64token/, ({ header, claims }) => [
      encodePart(header),
      `${encodePart(claims)}=`,
    ]),
    respelt("a header with an unused bit set", /canonical/, ({ header, claims }) => [
      withUnusedBit(encodePart(uneven(header))),
      encodePart(claims),
    ]),
    respelt("a payload with an unused bit set", /canonical/, ({ header, claims }) => [
      encodePart(header),
      withUnusedBit(encodePart(uneven(claims))),
    ]),
    respelt("a payload in the other alphabet", /canonical/, ({ header, claims }) => [
      encodePart(header),
      Buffer.from(even({ ...claims, x: "?????>>>>>" })).toString("base64"),
    ]),
    respelt("a payload with a character too many", /canonical/, ({ header, claims }) => [
      encodePart(header),
      `${encodePart(even(claims))}A`,
    ]),
    parts("a signature with an unused bit set", /canonical/, replacePart(2, withUnusedBit)),
    parts(
      "padding after the signature",
      /canonical/,
      replacePart(2, (part) => `${part}=`),
    ),
    parts(
      "two padding characters",
      /canonical/,
      replacePart(2, (part) => `${part}==`),
    ),
    parts(
      "a signature with a tilde",
      /canonical/,
      replacePart(2, (part) => `${part}~`),
    ),
  ]);
});

const bytes = (change: (signature: Buffer) => Buffer) =>
  replacePart(2, (part) => encodePart(change(Buffer.from(part, "base64url"))));

describe("the signature", () => {
  describeRefusals([
    parts(
      "a flipped bit",
      /verification/,
      bytes(([first = 0, ...rest]) => Buffer.from([first ^ 1, ...rest])),
    ),
    parts(
      "its first byte missing",
      /verification/,
      bytes((whole) => whole.subarray(1)),
    ),
    parts(
      "its last byte missing",
      /verification/,
      bytes((whole) => whole.subarray(0, -1)),
    ),
    parts(
      "an additional byte",
      /verification/,
      bytes((whole) => Buffer.concat([whole, whole], whole.length + 1)),
    ),
    parts(
      "only zeros",
      /verification/,
      bytes((whole) => Buffer.alloc(whole.length)),
    ),
    parts(
      "only ones",
      /verification/,
      bytes((whole) => Buffer.alloc(whole.length, 0xff)),
    ),
    parts(
      "one byte of it",
      /verification/,
      bytes((whole) => whole.subarray(0, 1)),
    ),
    token("the payload of another token", /verification/, (good, lab) => {
      const [header, , signature] = good.split(".");
      return [header, encodePart({ ...lab.claims, exp: NOW_SECONDS + 86_400 }), signature].join(
        ".",
      );
    }),
    token("the header of another token", /verification/, (good, lab) => {
      const [, payload, signature] = good.split(".");
      return [encodePart({ ...lab.header, x: 1 }), payload, signature].join(".");
    }),
  ]);
});

describe("the size", () => {
  describeRefusals([
    token("a token of more than 8 kB", /too long/, (_, lab) =>
      tokenOf(lab, { ...lab.claims, x: "x".repeat(8_192) }),
    ),
    token("a token of 12 kB that is none", /too long/, () => "A".repeat(12_000)),
  ]);
});
