import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { decodeJwt } from "jose";
import { Pool } from "pg";
import { type MailRow, mailOf } from "../../src/mail/letter.ts";
import { useDatabase } from "../support/database.ts";
import {
  codeFor,
  type MailService,
  not,
  startMailService,
  type Visitor,
  visitorOf,
} from "../support/mail-sign-in.ts";
import { requestJson } from "../support/person.ts";
import { withTransactionOf } from "../support/sql.ts";
import { until } from "../support/waiting.ts";
import type { Tokens } from "../support/web-app.ts";

const database = useDatabase();
let service: MailService;
let owner: Pool;
let api: Pool;
beforeAll(async () => {
  service = await startMailService(database);
  owner = new Pool({ connectionString: database.url("parking_owner"), max: 1 });
  api = new Pool({ connectionString: database.url("parking_api"), max: 1 });
  for (const pool of [owner, api]) pool.on("error", () => {}); // the database is dropped
});
beforeEach(async () => {
  await owner.query("delete from private.rate_limits");
  await owner.query("delete from private.jobs");
});
afterAll(async () => {
  await Promise.all([owner.end(), api.end()]);
  await service.stop();
});

interface Resident {
  readonly visitor: Visitor;
  readonly tokens: Tokens;
  readonly id: string;
  readonly address: string;
  ask(method: string, path: string, body?: object): Promise<Asked>;
}
interface Asked {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Answer;
}
interface Answer {
  readonly error?: string;
  readonly profile?: { readonly id: string; readonly email: string };
}

const newAddress = (): string => `${randomUUID()}@home.example`;
const rows = async (sql: string, values: readonly unknown[] = []) =>
  (await owner.query(sql, [...values])).rows;

/** Somebody who has signed in, and registered. */
async function resident(flags: { readonly isAdmin?: boolean } = {}): Promise<Resident> {
  const address = newAddress();
  const visitor = visitorOf(service.origin);
  const tokens = await visitor.signIn(address, service.mails);
  const ask: Resident["ask"] = (method, path, body) =>
    requestJson<Answer>(service.origin, method, `/api${path}`, {
      token: tokens.access_token,
      ...(body && { body }),
    });
  const made = await ask("POST", "/profile", { apartment_number: "1A" });
  const id = made.body.profile?.id ?? "";
  const sql = "update parking.profiles set is_approved = true, is_admin = $2 where id = $1";
  await owner.query(sql, [id, flags.isAdmin === true]);
  return { visitor, tokens, id, address, ask };
}

/** The mails of the jobs that tell of changed addresses, as a job sends them. */
async function tellings() {
  const { rows: jobs } = await owner.query(
    `update private.jobs set ended_at = now()
      where data ->> 'kind' like 'address.%' and ended_at is null returning id, data ->> 'kind' as kind`,
  );
  await owner.query("update private.jobs set ended_at = null where id = any ($1)", [
    jobs.map(({ id }) => id),
  ]);
  const mails = [];
  for (const { id, kind } of jobs) {
    const [row] = (await api.query<MailRow>("select * from private.get_mail($1)", [id])).rows;
    const urls = { publicUrl: "https://home.example", unsubscribeUrl: "" };
    if (row) mails.push(mailOf({ id, kind }, row, urls));
    await owner.query("update private.jobs set ended_at = now() where id = $1", [id]);
  }
  return mails.toSorted((a, b) => a.to.localeCompare(b.to));
}

/** The address that an administrator gave somebody. */
async function given({ id, address }: Resident): Promise<string> {
  const next = newAddress();
  await owner.query(
    `insert into private.address_changes (account_id, old_address, new_address, starts_at)
     values ($1, $2, $3, now() + interval '1 day')`,
    [id, address, next],
  );
  return next;
}

const changePage = () => new URL("/identity/address", service.origin);

const mailsTo = (address: string): number =>
  service.mails.received.filter(({ to }) => to[0] === address).length;

/** Asks for both codes, and returns them. */
async function codesFor(person: Resident, address: string) {
  const { visitor } = person;
  const to = { old: person.address, new: address.trim().toLowerCase() };
  const [old, next] = [mailsTo(to.old), mailsTo(to.new)];
  const asked = await visitor.browser.post(changePage(), { email: address });
  expect(asked.status).toBe(303);
  return {
    old: await codeFor(service.mails, to.old, old + 1),
    new: await codeFor(service.mails, to.new, next + 1),
  };
}

describe("a person who changes the address", () => {
  it("proves both mailboxes, keeps the account, and is told at both addresses", async () => {
    const person = await resident();
    const { visitor, tokens, id, address } = person;
    const elsewhere = visitorOf(service.origin);
    const others = await elsewhere.signIn(address, service.mails);
    const next = newAddress();

    const form = await visitor.browser.get(changePage());
    expect(await form.text()).toContain(`You sign in with ${address}.`);
    const right = await codesFor(person, ` ${next.toUpperCase()} `);
    expect(service.mails.received.at(-1)?.text).toContain("you change the address");
    const wrong = await visitor.browser.post(changePage(), { ...right, old: not(right.old) });
    expect(wrong.status).toBe(400);
    const swapped = await visitor.browser.post(changePage(), { old: right.new, new: right.old });
    expect(swapped.status).toBe(400);
    expect(await swapped.text()).toContain("At least one of the codes is not right.");
    const other = await visitor.browser.post(changePage(), { other: "yes" });
    expect(await other.text()).toContain('name="email"');
    expect(await rows("select address from identity.accounts where id = $1", [id])).toEqual([
      { address },
    ]);
    const changed = await visitor.browser.post(changePage(), right);
    expect([changed.status, await changed.text()]).toEqual([200, expect.stringContaining(next)]);

    // The older token has the old address.
    expect((await person.ask("GET", "/profile")).body.profile?.email).toBe(next);
    expect((await visitor.renew(tokens.refresh_token)).status).toBe(200);
    expect((await elsewhere.renew(others.refresh_token)).status).toBe(400);
    expect(await tellings()).toMatchObject(
      [
        { to: address, text: expect.stringContaining(`${next[0]}…@home.example`) },
        { to: next, text: expect.stringContaining("From now on you sign in with this address") },
      ].toSorted((a, b) => a.to.localeCompare(b.to)),
    );
    const again = await visitorOf(service.origin).signIn(next, service.mails);
    const { body } = await requestJson<Answer>(service.origin, "GET", "/api/profile", {
      token: again.access_token,
    });
    expect(body.profile).toMatchObject({ id, email: next });
    expect(
      await rows(
        "select actor_id from private.events where type = 'profile.updated' and subject_id = $1",
        [id],
      ),
    ).toEqual([{ actor_id: id }]);
  });

  it("gets no address of another resident, and takes over an account that has nothing", async () => {
    const [person, neighbour] = [await resident(), await resident()];
    const empty = newAddress();
    await visitorOf(service.origin).signIn(empty, service.mails);
    const change = async (address: string) => {
      const codes = await codesFor(person, address);
      return (await person.visitor.browser.post(changePage(), codes)).status;
    };
    expect(await change(neighbour.address)).toBe(409);
    expect(await change(empty)).toBe(200);
    const addresses = [empty, neighbour.address];
    const sql = "select id from identity.accounts where address = any ($1) order by id";
    expect(await rows(sql, [addresses])).toEqual([{ id: person.id }, { id: neighbour.id }]);
  });

  it("gets no address that an administrator gave to somebody else", async () => {
    const [person, other] = [await resident(), await resident()];
    const promised = await given(other);
    const codes = await codesFor(person, promised);
    expect((await person.visitor.browser.post(changePage(), codes)).status).toBe(409);
  });

  it("uses no code that went to an address which is theirs no more", async () => {
    const person = await resident();
    const codes = await codesFor(person, newAddress());
    await owner.query("update identity.accounts set address = $2 where id = $1", [
      person.id,
      newAddress(),
    ]);
    const answer = await person.visitor.browser.post(changePage(), codes);
    expect([answer.status, await answer.text()]).toEqual([
      400,
      expect.stringContaining("This code can no longer be used."),
    ]);
  });

  it("waits for a first sign-in with the address, and for an erasure", async () => {
    const [person, leaving] = [await resident(), await resident()];
    const next = newAddress();
    const during = async (whose: Resident, sql: string, value: string): Promise<number> => {
      const codes = await codesFor(whose, next);
      const { change } = await withTransactionOf(owner, async (client) => {
        await client.query(sql, [value]);
        const changing = whose.visitor.browser.post(changePage(), codes);
        await until("the change waits", async () => {
          const { rowCount } = await client.query(
            "select from pg_stat_activity where pg_backend_pid() = any (pg_blocking_pids(pid))",
          );
          return rowCount === 1;
        });
        await client.query("commit");
        return { change: changing };
      });
      return (await change).status;
    };
    const signIn = "insert into identity.accounts (address) values ($1)";
    expect(await during(person, signIn, next)).toBe(200);
    const sql = "select id from identity.accounts where address = $1";
    expect(await rows(sql, [next])).toEqual([{ id: person.id }]);

    await owner.query("delete from identity.accounts where id = $1", [person.id]);
    expect(await during(leaving, "select private.erase_person($1)", leaving.id)).toBe(400);
    expect(await rows(sql, [next])).toEqual([]);
  });

  it("signs out also whoever has an older token: it adds no passkey", async () => {
    const person = await resident();
    const codes = await codesFor(person, newAddress());
    expect((await person.ask("POST", "/passkeys/options")).status).toBe(200);
    expect((await person.visitor.browser.post(changePage(), codes)).status).toBe(200);
    expect((await person.ask("POST", "/passkeys/options")).status).toBe(401);
    const add = api.query(
      "select identity.add_passkey($1, $2, '1', '1', 0, '{}', false, 'Phone')",
      [person.id, new Date(0)],
    );
    await expect(add).rejects.toMatchObject({ code: "PT404" });
  });

  it("must be signed in, and send the form from that page", async () => {
    const stranger = visitorOf(service.origin).browser;
    const mailsBefore = service.mails.received.length;
    expect((await stranger.get(changePage())).status).toBe(403);
    expect((await stranger.post(changePage(), { email: "a@home.example" })).status).toBe(403);
    const { visitor } = await resident();
    const byOthers = { "Sec-Fetch-Site": "cross-site" };
    const sent = await visitor.browser.post(changePage(), { email: newAddress() }, byOthers);
    expect([sent.status, service.mails.received.length]).toEqual([403, mailsBefore + 1]);
  });
});

describe("a person who signs out everywhere else", () => {
  const page = () => new URL("/identity/elsewhere", service.origin);

  it("ends what other browsers have, at once and for good, keeps this one, and is told once", async () => {
    const person = await resident();
    const { visitor, tokens, id, address } = person;
    const phone = visitorOf(service.origin);
    const lost = await phone.signIn(address, service.mails);
    // Somebody has typed the code, and not gone on yet.
    const halfway = visitorOf(service.origin);
    const begun = await halfway.begin();
    const count = mailsTo(address);
    await halfway.ask(begun, address);
    const entered = await halfway.type(begun, await codeFor(service.mails, address, count + 1));
    const neighbour = await resident();

    const [grant] = await rows(
      `select to_char(d.signed_in_at at time zone (private.building()).time_zone, 'FMDD FMMonth YYYY') as day
         from identity.documents d
        where d.account_id = $1 and d.model = 'Grant'
        order by d.signed_in_at desc
        limit 1`,
      [id],
    );
    expect(await (await visitor.browser.get(page())).text()).toContain(`<li>${grant?.day}</li>`);
    const sql = "select id_hash, payload from identity.documents where model = 'Session'";
    const sessions = await rows(`${sql} and account_id = $1`, [id]);
    const before = mailsTo(address);
    const done = await visitor.browser.post(page(), {});
    expect([done.status, await done.text()]).toEqual([
      200,
      expect.stringContaining("now signed in only in this browser"),
    ]);

    expect((await phone.renew(lost.refresh_token)).status).toBe(400);
    const { status } = await requestJson(service.origin, "POST", "/api/passkeys/options", {
      token: lost.access_token,
    });
    expect(status).toBe(401);
    expect((await neighbour.ask("POST", "/passkeys/options")).status).toBe(200);
    expect((await phone.begin()).pathname).toMatch(/interaction/);
    await expect(halfway.follow(entered)).rejects.toThrow();
    expect((await visitor.renew(tokens.refresh_token)).status).toBe(200);
    expect((await visitor.begin()).searchParams.get("code")).toBeTruthy();
    expect((await neighbour.visitor.renew(neighbour.tokens.refresh_token)).status).toBe(200);
    // A request that the phone had sent before stores its session only now.
    for (const { id_hash: hash, payload } of sessions)
      await api.query("select identity.keep_document('Session', $1, null, $2, 3600)", [
        hash,
        payload,
      ]);
    expect((await phone.begin()).pathname).toMatch(/interaction/);

    await until("a mail", () => mailsTo(address) > before);
    expect(service.mails.received.findLast(({ to }) => to[0] === address)?.text).toContain(
      "You were signed out of",
    );
    expect(await (await visitor.browser.get(page())).text()).toContain(
      "No other browser is signed in",
    );
    await visitor.browser.post(page(), {});
    await codesFor(person, newAddress()); // comes after any mail of the second press
    expect(mailsTo(address)).toBe(before + 2);
  });

  it("is not told of what had ended before", async () => {
    const person = await resident();
    const { visitor, id, address } = person;
    const ofPerson = "from identity.documents where account_id = $1 and model = 'Grant'";
    const [own] = await rows(`select id_hash ${ofPerson}`, [id]);
    await visitorOf(service.origin).signIn(address, service.mails);
    // As the other browser does by signing out. Its refresh token stays until it is pruned.
    const ended = `select identity.end_document(id_hash) ${ofPerson} and id_hash <> $2`;
    expect(await rows(ended, [id, own?.id_hash])).toHaveLength(1);
    const before = mailsTo(address);
    await visitor.browser.post(page(), {});
    await codesFor(person, newAddress()); // comes after any mail of the press
    expect(mailsTo(address)).toBe(before + 1);
  });

  it("ends the others also where this session has no grant", async () => {
    const { visitor, id, address } = await resident();
    const phone = visitorOf(service.origin);
    await phone.signIn(address, service.mails);
    await owner.query(
      `update identity.documents set payload = payload - 'authorizations'
        where account_id = $1 and model = 'Session'`,
      [id],
    );
    await visitor.browser.post(page(), {});
    expect((await phone.begin()).pathname).toMatch(/interaction/);
  });

  it("must be signed in, and send the form from that page", async () => {
    const stranger = visitorOf(service.origin).browser;
    expect((await stranger.get(page())).status).toBe(403);
    expect((await stranger.post(page(), {})).status).toBe(403);
    const { visitor, address } = await resident();
    const phone = visitorOf(service.origin);
    await phone.signIn(address, service.mails);
    const byOthers = { "Sec-Fetch-Site": "cross-site" };
    expect((await visitor.browser.post(page(), {}, byOthers)).status).toBe(403);
    expect((await phone.begin()).searchParams.get("code")).toBeTruthy();
  });
});

describe("an administrator who gives somebody another address", () => {
  let administrator: Resident;
  beforeAll(async () => {
    administrator = await resident({ isAdmin: true });
  });
  const give = ({ id }: { readonly id: string }, email: string, by = administrator) =>
    by.ask("POST", `/admin/profiles/${id}/address`, { email, reason: "Lost the mailbox" });
  /** A day passes. */
  const passDay = () =>
    owner.query("update private.address_changes set starts_at = now() where ended_at is null");

  it("lets them sign in a day later, signed out everywhere, and tells them at both addresses", async () => {
    const person = await resident();
    const next = newAddress();
    expect((await give(person, next)).status).toBe(201);
    expect(await tellings()).toMatchObject(
      [
        {
          to: person.address,
          text: expect.stringMatching(/Lost the mailbox\n\n.*sign out before then and sign in/),
        },
        { to: next, text: expect.stringContaining("not before") },
      ].toSorted((a, b) => a.to.localeCompare(b.to)),
    );
    expect(
      await rows(
        "select actor_id, reason from private.events where subject_id = $1 and reason is not null",
        [person.id],
      ),
    ).toEqual([{ actor_id: administrator.id, reason: "Lost the mailbox" }]);

    const visitor = visitorOf(service.origin);
    const page = await visitor.begin();
    await visitor.ask(page, next);
    const early = await visitor.type(page, await codeFor(service.mails, next));
    expect([early.status, await early.text()]).toEqual([
      400,
      expect.stringContaining("in 24 hours"),
    ]);
    const sql = "select address from identity.accounts where address = any ($1)";
    expect(await rows(sql, [[person.address, next]])).toEqual([{ address: person.address }]);
    expect((await person.visitor.renew(person.tokens.refresh_token)).status).toBe(200);

    await passDay();
    const tokens = await visitorOf(service.origin).signIn(next, service.mails);
    expect(decodeJwt(tokens.access_token)).toMatchObject({ sub: person.id, email: next });
    expect((await person.ask("GET", "/profile")).body.profile?.email).toBe(next);
    expect((await tellings()).map(({ to }) => to)).toEqual([person.address, next].toSorted());
    const changes = () =>
      rows("select from private.address_changes where account_id = $1", [person.id]);
    await api.query("select private.prune(1000)");
    expect(await changes()).toHaveLength(1);
    await owner.query(
      "update private.address_changes set ended_at = ended_at - interval '31 days'",
    );
    await api.query("select private.prune(1000)");
    expect(await changes()).toEqual([]);
    expect(
      await rows(
        `select from identity.documents
          where account_id = $1 and model = 'Session' and expires_at > now()`,
        [person.id],
      ),
    ).toHaveLength(1);
  });

  it("locks out nobody who has registered with that address since", async () => {
    const [person, newcomer] = [await resident(), await resident()];
    const next = await given(person);
    const sql = "update identity.accounts set address = $2 where id = $1";
    await owner.query(sql, [newcomer.id, next]);
    for (const _ of ["at once", "a day later"]) {
      const { access_token: token } = await visitorOf(service.origin).signIn(next, service.mails);
      expect(decodeJwt(token).sub).toBe(newcomer.id);
      await passDay();
    }
  });

  it("does nothing once the person signs in with the old one, and learns that", async () => {
    const person = await resident();
    const next = newAddress();
    await give(person, next);
    await tellings();
    await passDay();
    await visitorOf(service.origin).signIn(person.address, service.mails);
    expect(await tellings()).toMatchObject([
      { to: administrator.address, text: expect.stringContaining(person.address) },
    ]);
    const tokens = await visitorOf(service.origin).signIn(next, service.mails);
    expect(decodeJwt(tokens.access_token).sub).not.toBe(person.id);
  });

  it("is refused what the rules refuse, also by SQL", async () => {
    const [person, neighbour, other] = [await resident(), await resident(), await resident()];
    const promised = newAddress();
    await give(neighbour, promised);
    const account = newAddress();
    const external = { id: randomUUID() };
    await owner.query("insert into private.users (id, email) values ($1, $2)", [
      external.id,
      account,
    ]);
    await owner.query(
      "insert into parking.profiles (id, email, apartment_number) values ($1, $2, '1A')",
      [external.id, account],
    );
    const cases = [
      [external, newAddress(), administrator, 409, "address_changes_of_an_account"],
      [person, "nobody", administrator, 400, "address_changes_to_a_mailbox"],
      [person, person.address.toUpperCase(), administrator, 400, "address_changes_to_another"],
      [administrator, newAddress(), administrator, 403, "address_changes_not_of_oneself"],
      [person, neighbour.address, administrator, 409, "address_changes_to_nobody_elses"],
      [person, promised, administrator, 409, "address_changes_to_nobody_elses"],
      [person, newAddress(), other, 403, "administrator_required"],
    ] as const;
    for (const [whose, address, by, status, rule] of cases) {
      const answer = await give(whose, address, by);
      expect([answer.status, answer.headers.get("X-Error-Code")]).toEqual([status, rule]);
      await expect(
        withTransactionOf(api, async (client) => {
          const claims = JSON.stringify({ sub: by.id });
          await client.query("select set_config('request.jwt.claims', $1, true)", [claims]);
          await client.query("select api.give_address($1, $2, 'by SQL')", [whose.id, address]);
        }),
      ).rejects.toMatchObject({ constraint: rule });
    }
    expect((await give({ id: randomUUID() }, newAddress())).status).toBe(404);
  });

  it("erases with the person all that lets them sign in; the export has it, and no secret", async () => {
    const person = await resident();
    const next = newAddress();
    await give(person, next);
    const exported = await person.ask("GET", "/profile/export");
    expect(exported.body).toMatchObject({
      sign_in_account: [{ id: person.id, address: person.address }],
      sign_ins: [{ signed_in_at: expect.any(String), expires_at: expect.any(String) }],
      address_changes: [{ new_address: next, reason: "Lost the mailbox" }],
    });
    await administrator.ask("DELETE", `/admin/profiles/${person.id}?reason=gone`);
    const tables = ["accounts", "documents", "passkeys"].map((it) => `identity.${it}`);
    for (const table of [...tables, "private.address_changes"]) {
      const sql = `select from ${table} t where t::text ~ $1`;
      expect([table, await rows(sql, [`${person.id}|${person.address}|${next}`])]).toEqual([
        table,
        [],
      ]);
    }
    expect(await tellings()).toEqual([]);
    expect((await person.visitor.renew(person.tokens.refresh_token)).status).toBe(400);
    const anew = await visitorOf(service.origin).signIn(person.address, service.mails);
    expect(decodeJwt(anew.access_token).sub).not.toBe(person.id);
  });
});
