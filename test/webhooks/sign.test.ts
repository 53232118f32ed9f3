import { describe, expect, it } from "@jest/globals";
import { Webhook } from "standardwebhooks";
import { signedHeaders } from "../../src/webhooks/sign.ts";

/** What the libraries of Standard Webhooks try themselves with (MIT, Svix 2023). */
const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const id = "msg_p5jXN8AQM9LWM0D4loKWxJek";
const timestamp = 1614265330;
const payload = '{"test": 2432232314}';
const expected = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";
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

  it.each(["", "whsec_", "(null)", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaS", "whsec_!!!!"])(
    "is not made with the secret %j",
    (wrong) => {
      expect(() => signedHeaders(id, payload, [wrong], new Date())).toThrow("whsec_");
    },
  );
});
