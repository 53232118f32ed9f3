import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from "@jest/globals";
import { Pool } from "pg";
import { pino } from "pino";
import { locationOf } from "../support/browser.ts";
import { useDatabase } from "../support/database.ts";
import {
  codeFor,
  hashes,
  type MailService,
  not,
  startMailService,
  visitorOf,
} from "../support/mail-sign-in.ts";
import { requestJson } from "../support/person.ts";
import { until } from "../support/waiting.ts";

const database = useDatabase();
let service: MailService;
let other: MailService;
let api: Pool;
let owner: Pool;
const log: string[] = [];
beforeAll(async () => {
  service = await startMailService(database);
  // Another process of the same building, whose log is kept.
  other = await startMailService(
    database,
    { PUBLIC_URL: service.origin, REFUSED_TOKEN_RATE_LIMIT_PER_MINUTE: "60" },
    service.mails,
    pino({ level: "info" }, { write: (line: string) => log.push(line) }),
  );
  api = new Pool({ connectionString: database.url("parking_api"), max: 4 });
  owner = new Pool({ connectionString: database.url("parking_owner"), max: 1 });
  for (const pool of [api, owner]) pool.on("error", () => {}); // the database is dropped
});
afterEach(async () => {
  await owner.query("delete from private.rate_limits");
});
afterAll(async () => {
  await Promise.all([api.end(), owner.end()]);
  await other.stop();
  await service.stop();
});

/** What another process of the building answers. */
const elsewhere = (page: URL): URL => new URL(page.pathname, other.origin);

/** Everything of an answer that somebody could compare, but for what is new in each. */
async function comparable(response: Response): Promise<object> {
  const headers = Object.fromEntries(response.headers);
  for (const name of ["date", "x-request-id", "location"]) delete headers[name];
  const body = (await response.text()).replace(/challenge&quot;:&quot;[\w-]+/, "");
  return { status: response.status, headers, body };
}

describe("somebody who tries addresses", () => {
  it("gets the same answers for one with an account and one without, by the same statements", async () => {
    await visitorOf(service.origin).signIn("known@home.example", service.mails);
    const query = jest.spyOn(Pool.prototype, "query");
    const answersFor = async (address: string) => {
      const visitor = visitorOf(service.origin);
      const page = await visitor.begin();
      query.mockClear();
      const answers = [
        await comparable(await visitor.ask(page, address)),
        await comparable(await visitor.browser.get(page)),
        await comparable(await visitor.type(page, "12345")),
      ];
      const texts = query.mock.calls.map(([asked]) => JSON.stringify(asked));
      const own = texts.filter((text) => text.includes("identity."));
      const secrets = /\/interaction\/[\w-]+|"data":\[[^\]]*\]|[\w-]+@home.example/g;
      return {
        text: JSON.stringify({ answers, own }).replaceAll(/\\/g, "").replaceAll(secrets, "…"),
        own,
      };
    };
    const known = await answersFor("known@home.example");
    const unknown = await answersFor("never@home.example");
    query.mockRestore();
    expect(known.own.length).toBeGreaterThan(3);
    expect(unknown.text).toBe(known.text);
  });

  it("gets the same refusal for both", async () => {
    await visitorOf(service.origin).signIn("seen@home.example", service.mails);
    const refusalFor = async (address: string): Promise<string> => {
      const visitor = visitorOf(service.origin);
      const page = await visitor.begin();
      for (let i = 0; i < 5; i++) await visitor.ask(page, address);
      const refused = await visitor.ask(page, address);
      expect(refused.status).toBe(429);
      expect(await refused.clone().text()).toContain("Six-digit code"); // the last one is good
      const text = JSON.stringify(await comparable(refused)).replaceAll(address, "…");
      return text.replace(/wait \d+ minutes/, ""); // a busy machine takes a minute
    };
    expect(await refusalFor("seen@home.example")).toBe(await refusalFor("gone@home.example"));
  });
});

describe("mails with codes", () => {
  it("go to an address five times an hour, whatever processes are asked", async () => {
    const visitors = Array.from({ length: 8 }, () => visitorOf(service.origin));
    const asked = await Promise.all(
      visitors.map(async (visitor, i) => {
        const page = await visitor.begin();
        return visitor.ask(i % 2 ? page : elsewhere(page), "ada@home.example");
      }),
    );
    expect(asked.map(({ status }) => status).toSorted()).toEqual([
      303, 303, 303, 303, 303, 429, 429, 429,
    ]);
    await codeFor(service.mails, "ada@home.example", 5);
    expect(await asked.find(({ status }) => status === 429)?.text()).toMatch(
      /Please wait \d+ minutes\./,
    );
  });

  it("go out to a browser that signed in before, although a stranger has used up the address", async () => {
    const resident = visitorOf(service.origin);
    await resident.signIn("omar@home.example", service.mails);
    const stranger = visitorOf(service.origin);
    const page = await stranger.begin();
    for (let i = 0; i < 6; i++) await stranger.ask(page, "omar@home.example");
    expect((await stranger.ask(page, "omar@home.example")).status).toBe(429);

    const again = await resident.begin({ prompt: "login" });
    expect((await resident.ask(again, "omar@home.example")).status).toBe(303);
    // It knows only this address.
    for (let i = 0; i < 5; i++) await stranger.ask(page, "lena@home.example");
    expect((await resident.ask(again, "lena@home.example")).status).toBe(429);
  });

  it("are not more for somebody who signs in again and again", async () => {
    const statuses: number[] = [];
    const mails = () => statuses.filter((status) => status === 303).length;
    for (const [i, address] of ["rita@home.example", "rita@home.example"].entries()) {
      const { signIn, begin, ask } = visitorOf(service.origin);
      await codeFor(service.mails, address, i + mails());
      await signIn(address, service.mails);
      const page = await begin({ prompt: "login" });
      for (let i = 0; i < 5; i++) statuses.push((await ask(page, address)).status);
    }
    // Two more were for the sign-ins: five for browsers that know her, and five for others.
    expect(mails()).toBe(8);
  });

  const requestCode = async (values: readonly unknown[]): Promise<number> => {
    const { rows } = await api.query(
      "select coalesce(identity.request_code($1, $2, $3, $4, $5), 0) as wait",
      [...values],
    );
    return rows[0]?.wait;
  };

  it.each([
    ["an address in a day", 10, 86_400, (i: number) => ["a@home.example", `network ${i}`]],
    ["a network in an hour", 150, 3_600, (i: number) => [`a${i}@home.example`, "one"]],
    ["a network in a day", 400, 86_400, (i: number) => [`a${i}@home.example`, "one"]],
    ["a building in an hour", 300, 3_600, (i: number) => [`a${i}@home.example`, `network ${i}`]],
  ] as const)("are bounded for %s", async (_what, most, seconds, of) => {
    const [code] = hashes(1);
    const waits: number[] = [];
    for (const [i, hash] of hashes(most + 1).entries()) {
      // The windows of an hour end, and that of the day goes on.
      if (seconds > 3_600)
        await owner.query("delete from private.rate_limits where key like 'code-hour:%'");
      const [address, network] = of(i);
      waits.push(await requestCode([hash, code, network, null, address]));
    }
    expect(waits.filter((wait) => wait === 0)).toHaveLength(most);
    expect(waits.at(-1)).toBeGreaterThan(seconds / 2);
    expect(waits.at(-1)).toBeLessThanOrEqual(seconds);
  });

  it("are counted without an address in the counts", async () => {
    const visitor = visitorOf(service.origin);
    await visitor.ask(await visitor.begin(), "ben@home.example");
    const { rows } = await owner.query(
      "select string_agg(key, ' ') as keys from private.rate_limits",
    );
    expect(rows[0].keys).toContain("code-hour:address ");
    expect(rows[0].keys).not.toContain("maria");
  });
});

describe("a code", () => {
  it("cannot be guessed: after five tries the right one is of no use", async () => {
    const visitor = visitorOf(service.origin);
    const page = await visitor.begin();
    await visitor.ask(page, "cleo@home.example");
    const code = await codeFor(service.mails, "cleo@home.example");
    for (let i = 0; i < 5; i++) {
      const answer = await visitor.type(page, not(code));
      expect([answer.status, (await answer.text()).includes("This is not the code")]).toEqual([
        400,
        true,
      ]);
    }
    const late = await visitor.type(page, code);
    expect(late.status).toBe(400);
    expect(await late.text()).toContain("This code can no longer be used");
  });

  it("is tried five times also if the guesses come at once, at two processes", async () => {
    const visitor = visitorOf(service.origin);
    const page = await visitor.begin();
    await visitor.ask(page, "dora@home.example");
    const code = await codeFor(service.mails, "dora@home.example");
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, i) =>
        visitor.type(i % 2 ? page : elsewhere(page), not(code)).then((it) => it.text()),
      ),
    );
    expect(answers.filter((text) => text.includes("This is not the code"))).toHaveLength(5);
    expect((await visitor.type(page, code)).status).toBe(400);
  });

  it("works in the browser that asked for it, and nowhere else", async () => {
    const victim = visitorOf(service.origin);
    await victim.ask(await victim.begin(), "emil@home.example");
    const code = await codeFor(service.mails, "emil@home.example");
    const thief = visitorOf(service.origin);
    const page = await thief.begin();
    await thief.ask(page, "thief@home.example");
    expect((await thief.type(page, code)).status).toBe(400);
  });

  it("works once, and ten minutes long", async () => {
    const visitor = visitorOf(service.origin);
    const page = await visitor.begin();
    await visitor.ask(page, "fritz@home.example");
    const first = await codeFor(service.mails, "fritz@home.example");
    await owner.query("update identity.codes set expires_at = clock_timestamp()");
    expect((await visitor.type(page, first)).status).toBe(303); // the page for an address
    // The clock ran ahead when it was made, and was set back.
    await owner.query("update identity.codes set expires_at = now() + interval '1 hour'");
    expect((await visitor.type(page, first)).status).toBe(303);
    expect(await (await visitor.browser.get(page)).text()).toContain("Email address");

    await visitor.ask(page, "fritz@home.example");
    const second = await codeFor(service.mails, "fritz@home.example", 2);
    const { rows } = await owner.query<{ seconds: number }>(
      "select extract(epoch from expires_at - now())::int as seconds from identity.codes where address ~ '^fritz'",
    );
    expect(Math.abs((rows[0]?.seconds ?? 0) - 600)).toBeLessThan(60);
    const once = await Promise.all([
      visitor.type(page, second),
      visitor.type(elsewhere(page), second),
    ]);
    const signedIn = once.filter((it) => it.headers.get("location")?.includes("/identity/auth/"));
    expect(signedIn).toHaveLength(1);
  });

  it("of an address is tried twenty times a day by strangers, however many they ask for", async () => {
    const tryCode = async (interaction: Buffer, guess: Buffer) => {
      const { rows } = await api.query("select * from identity.try_code($1, $2, 'one', false)", [
        interaction,
        guess,
      ]);
      return rows[0];
    };
    const [right = Buffer.of(), wrong = Buffer.of()] = hashes(2);
    const waits: (number | null)[] = [];
    for (const interaction of hashes(5)) {
      await api.query("select identity.request_code($1, $2, 'one', false, 'a@home.example')", [
        interaction,
        right,
      ]);
      for (let i = 0; i < 5; i++) waits.push((await tryCode(interaction, wrong)).wait);
    }
    expect(waits.filter((wait) => wait === null)).toHaveLength(20);
    await owner.query("delete from private.rate_limits where key like 'code-hour:%'");
    const [last = Buffer.of()] = hashes(1);
    await api.query("select identity.request_code($1, $2, 'one', false, 'a@home.example')", [
      last,
      right,
    ]);
    expect(await tryCode(last, right)).toMatchObject({ outcome: "wait", account_id: null });
  });
});

describe("the codes of a change", () => {
  it("are counted for both addresses, and each guess at them, too", async () => {
    const [id, right, wrong] = hashes(3);
    const addresses = ["old@home.example", "new@home.example"];
    await api.query("select identity.request_code($1, $2, 'one', false, $3, $4)", [
      id,
      right,
      ...addresses,
    ]);
    const change = "select * from identity.change_address(uuidv7(), $1, $2, 'one', '{}')";
    for (const outcome of ["wrong", "wrong", "wrong", "wrong", "wrong", "ended"])
      expect((await api.query(change, [id, wrong])).rows).toEqual([{ outcome, wait: null }]);
    const { rows } = await owner.query(
      `select split_part(r.key, ':', 1) as window, count(*)::int as addresses
         from private.rate_limits r
        where r.key = any (array(
          select w || ':address ' || identity.name_of(a)
            from unnest('{code-hour,code-day,guess-day}'::text[]) w, unnest($1::text[]) a
        ))
        group by 1
        order by 1`,
      [addresses],
    );
    expect(rows).toEqual([
      { window: "code-day", addresses: 2 },
      { window: "code-hour", addresses: 2 },
      { window: "guess-day", addresses: 2 },
    ]);
  });
});

describe("the path of a sign-in", () => {
  it("is not in the log: its last segment is a secret of the browser", async () => {
    const visitor = visitorOf(other.origin);
    const page = locationOf(await visitor.authorize({ redirect_uri: `${service.origin}/` }));
    await visitor.browser.get(new URL(page.pathname, other.origin));
    await until("a line", () => log.join("").includes('"/identity/interaction/…"'));
    expect(log.join("")).not.toContain(page.pathname.split("/").at(-1));
  });
});

describe("an account", () => {
  it("is forgotten after a year without a profile and a sign-in", async () => {
    await visitorOf(service.origin).signIn("kim@home.example", service.mails);
    const { access_token } = await visitorOf(service.origin).signIn(
      "lea@home.example",
      service.mails,
    );
    const body = { apartment_number: "1A" };
    await requestJson(service.origin, "POST", "/api/profile", { token: access_token, body });
    await visitorOf(service.origin).signIn("mia@home.example", service.mails);
    await owner.query(
      `update identity.accounts set signed_in_at = now() - interval '367 days'
        where address ~ '^(kim|lea)'`,
    );
    await api.query("select private.prune(1000)");
    const { rows } = await owner.query(
      "select address from identity.accounts where address ~ '^(kim|lea|mia)' order by 1",
    );
    expect(rows.map(({ address }) => address)).toEqual(["lea@home.example", "mia@home.example"]);
  });
});

describe("sign-ins that begin", () => {
  it("are bounded for each network, so that nobody fills the database", async () => {
    const asked = new URL((await visitorOf(other.origin).authorize()).url);
    const begin = async (_: unknown, i: number) => {
      asked.pathname = i % 2 ? "/identity/auth" : "/identity/AUTH/";
      return fetch(asked, { redirect: "manual", headers: { "Accept-Language": "de" } });
    };
    const answers = await Promise.all(Array.from({ length: 130 }, begin));
    const refused = answers.filter(({ status }) => status === 429);
    // Sixty a minute, of which there may be two.
    expect(refused.length).toBeGreaterThanOrEqual(10);
    const page = await refused[0]?.text();
    expect(page).toContain("Bitte warten Sie eine Minute.");
    expect(page).not.toContain('lang="en"');
  });

  it("delete those that have ended", async () => {
    await visitorOf(service.origin).begin();
    await owner.query("update identity.documents set expires_at = now() - interval '2 minutes'");
    const count = async () => {
      const { rows } = await owner.query("select count(*)::int as count from identity.documents");
      return rows[0].count;
    };
    const before = await count();
    expect(before).toBeGreaterThan(2);
    await visitorOf(service.origin).begin();
    expect(await count()).toBe(before - 1);
    await api.query("select private.prune(1000)");
    expect(await count()).toBe(1);

    const visitor = visitorOf(service.origin);
    await visitor.signIn("nina@home.example", service.mails);
    await visitor.ask(await visitor.begin({ prompt: "login" }), "nina@home.example");
    await owner.query("update identity.documents set signed_in_at = now() - interval '31 days'");
    await owner.query("update identity.codes set expires_at = now() - interval '1 second'");
    await api.query("select private.prune(1000)");
    expect(await count()).toBe(0);
    expect((await owner.query("select from identity.codes")).rows).toEqual([]);
  });
});
