import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { decodeJwt } from "jose";
import { withClient } from "../../src/database/client.ts";
import {
  type Authenticator,
  type Changes,
  type CreationOptions,
  createAuthenticator,
  flags,
} from "../support/authenticator.ts";
import { readJson } from "../support/browser.ts";
import { useDatabase } from "../support/database.ts";
import {
  type MailService,
  startMailService,
  type Visitor,
  visitorOf,
} from "../support/mail-sign-in.ts";
import type { Tokens } from "../support/web-app.ts";

const database = useDatabase();
let service: MailService;
beforeAll(async () => {
  service = await startMailService(database);
});
afterAll(() => service.stop());

const owner = <Row>(sql: string, values: readonly unknown[] = []): Promise<readonly Row[]> =>
  withClient(database.url("postgres"), async (client) => {
    const { rows } = await client.query(sql, [...values]);
    return rows as readonly Row[];
  });

interface Resident {
  readonly address: string;
  readonly sub: string;
  ask(method: string, path: string, body?: object): Promise<Response>;
  options(): Promise<CreationOptions & Readonly<Record<string, unknown>>>;
  /** Adds a passkey, as the page does. */
  add(device: Authenticator, changes?: Changes): Promise<Response>;
}

let people = 0;
async function resident(): Promise<Resident> {
  people += 1;
  const address = `person.${people}@home.example`;
  const tokens = await visitorOf(service.origin).signIn(address, service.mails);
  const ask: Resident["ask"] = (method, path, body) =>
    fetch(`${service.origin}/api${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${tokens.access_token}`,
        ...(body && { "Content-Type": "application/json" }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
  const options: Resident["options"] = async () =>
    (
      await readJson<{ options: Awaited<ReturnType<Resident["options"]>> }>(
        await ask("POST", "/passkeys/options"),
      )
    ).options;
  return {
    address,
    sub: decodeJwt(tokens.access_token).sub ?? "",
    ask,
    options,
    add: async (device, changes) =>
      ask("POST", "/passkeys", {
        name: "Phone",
        credential: device.create(await options(), changes),
      }),
  };
}

const device = () => createAuthenticator(service.origin);

async function withPasskey() {
  const person = await resident();
  const passkey = device();
  expect((await person.add(passkey)).status).toBe(201);
  return { person, passkey };
}

interface Begun {
  readonly visitor: Visitor;
  readonly page: URL;
  readonly challenge: string;
}

/** A browser at the page that asks for an address, and what it has a passkey sign. */
async function begin(): Promise<Begun> {
  const visitor = visitorOf(service.origin);
  const page = await visitor.begin();
  return { visitor, page, challenge: challengeIn(await (await visitor.browser.get(page)).text()) };
}

function challengeIn(markup: string): string {
  const options = /data-options="([^"]+)"/.exec(markup)?.[1]?.replaceAll("&quot;", '"');
  return JSON.parse(options ?? "").challenge;
}

const send = ({ visitor, page }: Begun, signed: object) =>
  visitor.browser.post(page, { passkey: JSON.stringify(signed) });

async function subOf({ visitor }: Begun, response: Response): Promise<string | undefined> {
  const { searchParams } = await visitor.follow(response);
  const tokens = await readJson<Tokens>(await visitor.exchange(searchParams.get("code")));
  return decodeJwt(tokens.access_token).sub;
}

describe("a passkey", () => {
  it("is added by a person who is told by mail, and signs them in without another mail", async () => {
    const person = await resident();
    const passkey = device();
    expect(await person.options()).toMatchObject({
      rp: { id: "127.0.0.1" },
      user: { name: person.address },
      attestation: "none",
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
    });
    const added = await person.add(passkey);
    expect(added.status).toBe(201);
    const mails = await service.mails.until(service.mails.received.length);
    expect(mails.at(-1)).toMatchObject({ to: [person.address] });
    expect(mails.at(-1)?.text).toMatch(/passkey “Phone”/);
    const known = mails.length;

    const begun = await begin();
    const response = await send(begun, passkey.get(begun));
    expect(await subOf(begun, response)).toBe(person.sub);
    expect(service.mails.received).toHaveLength(known);
    const { passkeys } = await readJson<{ passkeys: object[] }>(
      await person.ask("GET", "/passkeys"),
    );
    expect(passkeys).toEqual([
      {
        id: expect.any(String),
        name: "Phone",
        is_backed_up: false,
        created_at: expect.any(String),
        last_used_at: expect.any(String),
      },
    ]);
  });

  it("that is removed signs nobody in, and the person is told by mail", async () => {
    const { person, passkey } = await withPasskey();
    const { passkeys } = await readJson<{ passkeys: { id: string }[] }>(
      await person.ask("GET", "/passkeys"),
    );
    const stranger = await resident();
    const path = `/passkeys/${passkeys[0]?.id}`;
    expect((await stranger.ask("DELETE", path)).status).toBe(404);
    expect((await person.ask("DELETE", path)).status).toBe(200);
    expect((await person.ask("DELETE", path)).status).toBe(404);
    expect(service.mails.received.at(-1)?.text).toMatch(/passkey “Phone” no longer/);

    const begun = await begin();
    expect((await send(begun, passkey.get(begun))).status).toBe(400);
  });
});

describe("adding a passkey", () => {
  it.each<readonly [string, Changes]>([
    ["for another origin", { origin: "https://evil.example" }],
    ["for another port", { origin: "http://127.0.0.1:1" }],
    ["for another host", { rpId: "evil.example" }],
    ["for a sign-in", { type: "webauthn.get" }],
    ["in a frame of another page", { crossOrigin: true }],
    ["without anybody there", { flags: flags.verified | flags.withKey }],
    ["without an unlocked device", { flags: flags.present | flags.withKey }],
    ["without a key", { flags: flags.present | flags.verified }],
    ["with a challenge of its own", { challenge: "bm9uZQ" }],
    ["with a proof of its maker", { format: "packed" }],
    ["with a statement beside none", { statement: new Map([["sig", "a"]]) }],
  ])("is refused %s", async (_, changes) => {
    const person = await resident();
    const response = await person.add(device(), changes);
    expect([response.status, response.headers.get("X-Error-Code")]).toEqual([
      400,
      "passkey_refused",
    ]);
    expect(await readJson(await person.ask("GET", "/passkeys"))).toEqual({ passkeys: [] });
  });

  it("takes a challenge once, from the person who got it, for ten minutes", async () => {
    const [person, other] = [await resident(), await resident()];
    const options = await person.options();
    const body = () => ({ name: "Phone", credential: device().create(options) });
    expect((await other.ask("POST", "/passkeys", body())).status).toBe(400);
    expect((await person.ask("POST", "/passkeys", body())).status).toBe(201);
    expect((await person.ask("POST", "/passkeys", body())).status).toBe(400);

    const late = await person.options();
    const [left] = await owner<{ minutes: number }>(
      `update identity.challenges set expires_at = clock_timestamp()
       where challenge_hash = sha256($1)
       returning extract(epoch from old.expires_at - clock_timestamp())::float8 / 60 as minutes`,
      [Buffer.from(late.challenge)],
    );
    expect(left?.minutes).toBeGreaterThan(9);
    expect(left?.minutes).toBeLessThanOrEqual(10);
    const credential = device().create(late);
    expect((await person.ask("POST", "/passkeys", { name: "Phone", credential })).status).toBe(400);
  });

  it("refuses one that somebody has, and an eleventh, also at the same moment", async () => {
    const { person, passkey } = await withPasskey();
    const other = await resident();
    const taken = await other.add(
      createAuthenticator(service.origin, Buffer.from(passkey.id, "base64url")),
    );
    expect(taken.status).toBe(409);

    const add = `select from identity.add_passkey($1, $2, 'key', 0, '{}', false, 'Phone')`;
    const many = await Promise.allSettled(
      Array.from({ length: 14 }, (_, n) => owner(add, [person.sub, Buffer.from(`many ${n}`)])),
    );
    expect(many.filter(({ status }) => status === "fulfilled")).toHaveLength(9);
    const full = await person.add(device());
    expect(full.status).toBe(409);
  });

  it.each([
    ["a name of two lines", { name: "a\nb" }],
    ["no name", { name: "" }],
    ["no text", { name: 7 }],
    ["a long name", { name: "a".repeat(61) }],
    ["no credential", { name: "Phone" }],
    ["another credential", { name: "Phone", credential: { id: 1, response: null } }],
    [
      "an empty credential",
      { name: "Phone", credential: { id: "a", response: { clientDataJSON: "" } } },
    ],
  ])("refuses %s", async (_, body) => {
    const response = await (await resident()).ask("POST", "/passkeys", body);
    expect(response.status).toBe(400);
  });

  it("needs a token of a person who has an account", async () => {
    const person = await resident();
    for (const [method, path] of [
      ["GET", "/passkeys"],
      ["POST", "/passkeys"],
      ["POST", "/passkeys/options"],
    ] as const) {
      expect((await fetch(`${service.origin}/api${path}`, { method })).status).toBe(401);
    }
    await owner("delete from identity.accounts where id = $1", [person.sub]);
    expect((await person.ask("GET", "/passkeys")).status).toBe(404);
    expect((await person.ask("POST", "/passkeys/options")).status).toBe(404);
  });
});

describe("signing in with a passkey", () => {
  it.each<readonly [string, Changes]>([
    ["signed for another origin", { origin: "https://evil.example" }],
    ["signed for another host", { rpId: "evil.example" }],
    ["signed for a new passkey", { type: "webauthn.create" }],
    ["signed in a frame of another page", { crossOrigin: true }],
    ["without anybody there", { flags: flags.verified }],
    ["without an unlocked device", { flags: flags.present }],
    ["with a challenge of its own", { challenge: "bm9uZQ" }],
    ["in the name of nobody", { userHandle: "" }],
  ])("is refused %s", async (_, changes) => {
    const { passkey } = await withPasskey();
    const begun = await begin();
    const response = await send(begun, passkey.get(begun, changes));
    expect(response.status).toBe(400);
    // The page has a new challenge, with which it works.
    const again = { ...begun, challenge: challengeIn(await response.text()) };
    expect((await send(again, passkey.get(again))).status).toBe(303);
  });

  it("uses a challenge once, also for an unknown passkey, and in its own sign-in only", async () => {
    const { passkey } = await withPasskey();
    const [begun, other] = [await begin(), await begin()];
    expect((await send(other, passkey.get(begun))).status).toBe(400);

    const signed = passkey.get(begun);
    expect((await send(begun, device().get(begun))).status).toBe(400);
    expect((await send(begun, signed)).status).toBe(400);

    const third = await begin();
    const right = passkey.get(third);
    const both = await Promise.all([send(third, right), send(third, right)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([303, 400]);
  });

  it("refuses a copy, whose counter is not higher", async () => {
    const { passkey } = await withPasskey();
    for (const [counter, status] of [
      [5, 303],
      [5, 400],
      [4, 400],
      [0, 400],
      [6, 303],
    ] as const) {
      const begun = await begin();
      expect((await send(begun, passkey.get(begun, { counter }))).status).toBe(status);
    }
  });

  it("takes a device that does not count", async () => {
    const { passkey } = await withPasskey();
    for (let time = 0; time < 2; time++) {
      const begun = await begin();
      expect((await send(begun, passkey.get(begun, { counter: 0 }))).status).toBe(303);
    }
  });

  it("refuses a passkey that says it is another person's", async () => {
    const [{ passkey }, other] = [await withPasskey(), await withPasskey()];
    const begun = await begin();
    const userHandle = Buffer.from(other.person.sub).toString("base64url");
    expect((await send(begun, passkey.get(begun, { userHandle }))).status).toBe(400);
  });

  it("answers a passkey that nobody has as a wrong one", async () => {
    const { passkey } = await withPasskey();
    const page = async (signed: (begun: Begun) => object) => {
      const begun = await begin();
      const response = await send(begun, signed(begun));
      return [response.status, (await response.text()).replace(/data-options="[^"]+"/, "")];
    };
    const unknown = await page((begun) => device().get(begun, { userHandle: "YQ" }));
    expect(unknown).toEqual(await page((begun) => passkey.get(begun, { rpId: "evil.example" })));
  });

  it.each(["", "{", "null", "[]", '{"id":"a"}', '{"id":"a","response":{"clientDataJSON":"e30"}}'])(
    "refuses %j",
    async (passkey) => {
      const { visitor, page } = await begin();
      expect((await visitor.browser.post(page, { passkey })).status).toBe(400);
    },
  );
});
