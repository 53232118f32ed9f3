import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { Webhook } from "standardwebhooks";
import { signedHeaders } from "../../src/webhooks/sign.ts";

interface Vectors {
  readonly sign: {
    readonly secret: string;
    readonly id: string;
    readonly timestamp: number;
    readonly payload: string;
    readonly expected: string;
  };
  readonly secret_errors: readonly string[];
}

const vectors: Vectors = JSON.parse(
  readFileSync(join(import.meta.dirname, "vectors.json"), "utf8"),
);
const { secret, id, timestamp, payload, expected } = vectors.sign;
const OTHER_SECRET = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";

describe("the signature of a webhook", () => {
  it("is that of Standard Webhooks", () => {
    expect(signedHeaders(id, payload, [secret], new Date(timestamp * 1000))).toEqual({
      "webhook-id": id,
      "webhook-timestamp": String(timestamp),
      "webhook-signature": expected,
    });
  });

  it("is verified by receivers, also where the body has letters of all alphabets", () => {
    const body = JSON.stringify({ data: { guest: "Zoë Ωmega 駐車 🚗" } });
    const headers = signedHeaders("evt", body, [secret], new Date());
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
    expect(() => new Webhook(OTHER_SECRET).verify(body, headers)).toThrow("No matching signature");
    expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow("No matching signature");
  });

  it("is made with both secrets while one is replaced", () => {
    const headers = signedHeaders("evt", "{}", [OTHER_SECRET, secret], new Date());
    expect(headers["webhook-signature"]).toMatch(/^v1,\S+ v1,\S+$/);
    for (const known of [secret, OTHER_SECRET])
      expect(new Webhook(known).verify("{}", headers)).toEqual({});
  });

  it("is another at each try, and an old one is refused", () => {
    const [first, later] = [0, 301].map((seconds) =>
      signedHeaders("evt", "{}", [secret], new Date(Date.now() - seconds * 1000)),
    );
    expect(first).not.toEqual(later);
    expect(first?.["webhook-id"]).toBe(later?.["webhook-id"]);
    expect(() => new Webhook(secret).verify("{}", { ...later })).toThrow("too old");
  });

  it.each([...vectors.secret_errors, "whsec_!!!!"])("is not made with the secret %j", (wrong) => {
    expect(() => signedHeaders(id, payload, [wrong], new Date())).toThrow("whsec_");
  });
});
