import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { decodeJwt } from "jose";
import { withClient } from "../../src/database/client.ts";
import { secretOf } from "../../src/identity/secret.ts";
import type { Method, OpenApiDocument } from "../../src/openapi/types.ts";
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
  IDENTITY_SECRET,
  type MailService,
  startMailService,
  type Visitor,
  visitorOf,
} from "../support/mail-sign-in.ts";
import { objection } from "../support/schemas.ts";
import { until } from "../support/waiting.ts";
import type { Tokens } from "../support/web-app.ts";

const database = useDatabase();
let service: MailService;
/** Their passkey stays as it is: what is tried with it is refused. */
let somebody: Awaited<ReturnType<typeof withPasskey>>;
beforeAll(async () => {
  service = await startMailService(database);
  somebody = await withPasskey();
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

const mailed = ({ address }: Resident, text: RegExp) =>
  until("a mail", () =>
    service.mails.received.some((mail) => mail.to[0] === address && text.test(mail.text)),
  );

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
    await mailed(person, /^You can now sign in to The building with the passkey “Phone”/);
    const known = service.mails.received.length;

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

  it("is in its owner's export, without its key", async () => {
    const { person } = await withPasskey();
    expect((await person.ask("POST", "/profile", { apartment_number: "12" })).status).toBe(201);
    const { passkeys } = await readJson<{ passkeys: object[] }>(
      await person.ask("GET", "/profile/export"),
    );
    expect(passkeys).toEqual([
      {
        id: expect.any(String),
        account_id: person.sub,
        name: "Phone",
        transports: ["hybrid", "internal"],
        is_backed_up: false,
        created_at: expect.any(String),
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
    await mailed(person, /^The passkey “Phone” no longer signs you in/);

    const begun = await begin();
    expect((await send(begun, passkey.get(begun))).status).toBe(400);
  });
});

describe("adding a passkey", () => {
  it("is refused for anything else than was asked", async () => {
    const { person } = somebody;
    const known = await readJson(await person.ask("GET", "/passkeys"));
    const others: Readonly<Record<string, Changes>> = {
      "for another origin": { origin: "https://evil.example" },
      "for another port": { origin: "http://127.0.0.1:1" },
      "for another host": { rpId: "evil.example" },
      "for a sign-in": { type: "webauthn.get" },
      "in a frame of another page": { crossOrigin: true },
      "without anybody there": { flags: flags.verified | flags.withKey },
      "without an unlocked device": { flags: flags.present | flags.withKey },
      "without a key": { flags: flags.present | flags.verified },
      "with a challenge of its own": { challenge: "bm9uZQ" },
      "with a proof of its maker": { format: "packed" },
      "with a statement beside none": { statement: new Map([["sig", "a"]]) },
    };
    for (const [how, changes] of Object.entries(others)) {
      const { status, headers } = await person.add(device(), changes);
      expect([how, status, headers.get("X-Error-Code")]).toEqual([how, 400, "passkey_refused"]);
    }
    const long = createAuthenticator(service.origin, Buffer.alloc(1_024, 1));
    expect((await person.add(long)).status).toBe(400);
    expect(await readJson(await person.ask("GET", "/passkeys"))).toEqual(known);
  });

  it("takes a challenge from the person who got it, for ten minutes, and makes one passkey of an answer", async () => {
    const [person, other] = [await resident(), await resident()];
    const options = await person.options();
    const body = { name: "Phone", credential: device().create(options) };
    expect((await other.ask("POST", "/passkeys", body)).status).toBe(400);
    expect((await person.ask("POST", "/passkeys", body)).status).toBe(201);
    expect((await person.ask("POST", "/passkeys", body)).status).toBe(409);

    const secret = secretOf(IDENTITY_SECRET);
    for (const [minutes, status] of [
      [11, 400],
      [-11, 400],
      [9, 201],
    ] as const) {
      const at = String(Date.now() - minutes * 60_000);
      const signature = secret.sign("challenge", `account ${person.sub}`, at).toString("base64url");
      const challenge = Buffer.from(`${at}.${signature}`).toString("base64url");
      const credential = device().create({ ...options, challenge });
      const answer = await person.ask("POST", "/passkeys", { name: "Phone", credential });
      expect([minutes, answer.status]).toEqual([minutes, status]);
    }
  });

  it("refuses one that somebody has, and an eleventh, also at the same moment", async () => {
    const { person, passkey } = await withPasskey();
    const other = await resident();
    const taken = await other.add(
      createAuthenticator(service.origin, Buffer.from(passkey.id, "base64url")),
    );
    expect(taken.status).toBe(409);

    const add = `select from identity.add_passkey($1, $2, $3, 'key', 0, '{}', false, 'Phone')`;
    const many = await Promise.allSettled(
      Array.from({ length: 14 }, (_, n) =>
        owner(add, [person.sub, new Date(), Buffer.from(`many ${n}`)]),
      ),
    );
    expect(many.filter(({ status }) => status === "fulfilled")).toHaveLength(9);
    const full = await person.add(device());
    expect(full.status).toBe(409);
  });

  it("wants a name, and what a browser sends", async () => {
    const nothing = { id: "a", response: { clientDataJSON: "" } };
    for (const body of [
      { name: "a\nb" },
      { name: "" },
      { name: 7 },
      { name: "a".repeat(61) },
      { name: "Phone" },
      { name: "Phone", credential: { id: 1, response: null } },
      { name: "Phone", credential: nothing },
    ]) {
      const { status } = await somebody.person.ask("POST", "/passkeys", body);
      expect([body, status]).toEqual([body, 400]);
    }
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

it("passkeys are answered as the description of this service says", async () => {
  const address = `${service.origin}/api/openapi.json`;
  const { paths } = await readJson<OpenApiDocument>(await fetch(address));
  const described = Object.keys(paths).filter((path) => path.startsWith("/passkeys"));
  expect(described).toEqual(["/passkeys", "/passkeys/options", "/passkeys/{id}"]);

  const { person } = await withPasskey();
  const fits = async (method: Method, path: string, answer: Response) => {
    const response = paths[path]?.[method]?.responses[answer.status];
    const schema = response && "content" in response && response.content?.["application/json"];
    const body = await readJson(answer);
    expect(schema && objection(schema.schema, body)).toBeUndefined();
    return body;
  };
  await fits("post", "/passkeys/options", await person.ask("POST", "/passkeys/options"));
  await fits("post", "/passkeys", await person.add(device()));
  await fits("post", "/passkeys", await person.ask("POST", "/passkeys", { name: "" }));
  await fits("get", "/passkeys", await person.ask("GET", "/passkeys"));
  const [passkey] = await owner<{ id: string }>(
    "select id from identity.passkeys where account_id = $1",
    [person.sub],
  );
  const path = `/passkeys/${passkey?.id}`;
  await fits("delete", "/passkeys/{id}", await person.ask("DELETE", path));
  await fits("delete", "/passkeys/{id}", await person.ask("DELETE", path));
});

describe("the changes of a person's passkeys", () => {
  it("are thirty a day at most, because each is a mail", async () => {
    const { sub } = await resident();
    const add = () =>
      owner<{ id: string }>(
        "select id from identity.add_passkey($1, $2, $3, 'key', 0, '{}', false, 'Phone')",
        [sub, new Date(), randomBytes(16)],
      );
    for (let time = 0; time < 15; time++) {
      const [passkey] = await add();
      await owner("select identity.remove_passkey($1, $2)", [sub, passkey?.id]);
    }
    await expect(add()).rejects.toMatchObject({ code: "PT429" });
  });
});

describe("signing in with a passkey", () => {
  it("is refused for anything else than was asked, and the page asks again", async () => {
    const { passkey } = somebody;
    const other = await resident();
    const others: Readonly<Record<string, Changes>> = {
      "for another origin": { origin: "https://evil.example" },
      "for another host": { rpId: "evil.example" },
      "for a new passkey": { type: "webauthn.create" },
      "in a frame of another page": { crossOrigin: true },
      "without anybody there": { flags: flags.verified },
      "without an unlocked device": { flags: flags.present },
      "with a challenge of its own": { challenge: "bm9uZQ" },
      "in the name of nobody": { userHandle: "" },
      "in the name of another": { userHandle: Buffer.from(other.sub).toString("base64url") },
    };
    let begun = await begin();
    for (const [how, changes] of Object.entries(others)) {
      const response = await send(begun, passkey.get(begun, changes));
      expect([how, response.status]).toEqual([how, 400]);
      begun = { ...begun, challenge: challengeIn(await response.text()) };
    }
    for (const signed of ["", "{", "null", "[]", '{"id":"a"}', '{"id":"a","response":{}}']) {
      const response = await begun.visitor.browser.post(begun.page, { passkey: signed });
      expect([signed, response.status]).toEqual([signed, 400]);
      begun = { ...begun, challenge: challengeIn(await response.text()) };
    }
    const copy = createAuthenticator(service.origin, Buffer.from(passkey.id, "base64url"));
    const userHandle = Buffer.from(somebody.person.sub).toString("base64url");
    const forged = await send(begun, copy.get(begun, { userHandle, counter: 99 }));
    expect(forged.status).toBe(400);
    begun = { ...begun, challenge: challengeIn(await forged.text()) };
    expect((await send(begun, passkey.get(begun))).status).toBe(303);
  });

  it("takes a challenge in its own sign-in only, and enters once", async () => {
    const { passkey } = await withPasskey();
    const [begun, other] = [await begin(), await begin()];
    expect((await send(other, passkey.get(begun))).status).toBe(400);

    // A device that does not count its signatures.
    const signed = passkey.get(begun, { counter: 0 });
    const both = await Promise.all([send(begun, signed), send(begun, signed)]);
    const [first, second] = both as [Response, Response];
    expect((await begun.visitor.follow(first)).searchParams.get("code")).toBeTruthy();
    await expect(begun.visitor.follow(second)).rejects.toThrow();
    expect((await send(begun, signed)).status).toBe(400);
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
    const use = "select identity.use_passkey($1, 6, false) as address";
    expect(await owner(use, [Buffer.from(passkey.id, "base64url")])).toEqual([{ address: null }]);
  });

  it("takes a device that does not count", async () => {
    const { passkey } = await withPasskey();
    for (let time = 0; time < 2; time++) {
      const begun = await begin();
      expect((await send(begun, passkey.get(begun, { counter: 0 }))).status).toBe(303);
    }
  });

  it("answers a passkey that nobody has as a wrong one", async () => {
    const { passkey } = somebody;
    const page = async (signed: (begun: Begun) => object) => {
      const begun = await begin();
      const response = await send(begun, signed(begun));
      return [response.status, (await response.text()).replace(/data-options="[^"]+"/, "")];
    };
    const unknown = await page((begun) => device().get(begun, { userHandle: "YQ" }));
    expect(unknown).toEqual(await page((begun) => passkey.get(begun, { rpId: "evil.example" })));
  });
});
