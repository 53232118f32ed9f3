import { hash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { decodeJwt } from "jose";
import { Pool } from "pg";
import { formOf, locationOf, readJson } from "../support/browser.ts";
import { useDatabase } from "../support/database.ts";
import {
  codeFor,
  type MailService,
  startMailService,
  type Visitor,
  visitorOf,
} from "../support/mail-sign-in.ts";
import { withTransactionOf } from "../support/sql.ts";
import { holdsForAll } from "../support/table.ts";
import { until } from "../support/waiting.ts";
import type { Tokens } from "../support/web-app.ts";

const database = useDatabase();
let service: MailService;
let owner: Pool;
beforeAll(async () => {
  owner = new Pool({ connectionString: database.url("parking_owner"), max: 1 });
  owner.on("error", () => {}); // the database is dropped
  await owner.query("update parking.building set name = 'Lindenhof 5'");
  service = await startMailService(database);
});
afterAll(async () => {
  await owner.end();
  await service.stop();
});

const issuer = () => `${service.origin}/identity`;
let people = 0;
const newAddress = (): string => `person.${++people}@home.example`;

/** Somebody who has just signed in, with the code that the page has not exchanged yet. */
async function signedIn(): Promise<{ visitor: Visitor; code: string | null; address: string }> {
  await owner.query("delete from private.rate_limits");
  const address = newAddress();
  const visitor = visitorOf(service.origin);
  const page = await visitor.begin();
  await visitor.ask(page, address);
  const back = await visitor.follow(
    await visitor.type(page, await codeFor(service.mails, address)),
  );
  return { visitor, code: back.searchParams.get("code"), address };
}

const errorOf = async (response: Response): Promise<string> =>
  (await readJson<{ error: string }>(response)).error;

describe("a request for a sign-in", () => {
  const refused = async (changes: Readonly<Record<string, string | undefined>>) => {
    const response = await visitorOf(service.origin).authorize(changes);
    const { status } = response;
    const location = response.headers.get("location");
    if (location === null) return { status, leadsTo: undefined, error: undefined };
    const url = new URL(location, issuer());
    // Errors of response types with tokens come in the fragment.
    const answer = new URLSearchParams(url.hash ? url.hash.slice(1) : url.search);
    return { status, leadsTo: url.origin, error: answer.get("error") };
  };

  it("leads nowhere else: redirect_uri is the one of the page, to the letter", async () => {
    const { origin } = service;
    const others = [
      "https://evil.example/",
      origin,
      `${origin}/x`,
      `${origin}/?next=https://evil.example`,
      `${origin}/#`,
      `${origin}//`,
      `${origin}.evil.example/`,
      `${origin.replace("http://", "http://evil@")}/`,
      origin.replace("127.0.0.1", "localhost"),
      `${origin.replace("http:", "https:")}/`,
      undefined,
    ];
    await holdsForAll(others, async (redirect_uri) => {
      const answer = await refused({ redirect_uri });
      // A client with one address may leave it out.
      if (redirect_uri === undefined) expect(answer.leadsTo).toBe(service.origin);
      else expect(answer).toEqual({ status: 400, leadsTo: undefined, error: undefined });
    });
  });

  it("needs PKCE with S256", async () => {
    for (const changes of [
      { code_challenge: undefined, code_challenge_method: undefined },
      { code_challenge_method: "plain" },
      { code_challenge_method: undefined },
      { code_challenge: "short" },
    ])
      expect((await refused(changes)).error).toBe("invalid_request");
  });

  it("knows no other response type, no request object and no registration", async () => {
    const { origin } = service;
    await holdsForAll(
      [
        [{ response_type: "token" }, "unsupported_response_type"],
        [{ response_type: "id_token" }, "unsupported_response_type"],
        [{ response_type: "code id_token" }, "unsupported_response_type"],
        [{ response_type: "none" }, "unsupported_response_type"],
        [{ response_mode: "jwt" }, "unsupported_response_mode"],
        [{ response_mode: "web_message" }, "unsupported_response_mode"],
        [{ request: "e30.e30." }, "request_not_supported"],
        [{ request_uri: "https://evil.example/request" }, "request_uri_not_supported"],
        [{ registration: "{}" }, "registration_not_supported"],
        [{ resource: "https://evil.example" }, "invalid_target"],
      ] as const,
      async ([changes, error]) => {
        expect(await refused(changes)).toEqual({ status: 303, leadsTo: origin, error });
      },
    );
  });

  it("may have any character in what is only given back", async () => {
    for (const state of ["a\0b", "{id}", "\uFFFF"]) {
      const visitor = visitorOf(service.origin);
      const address = "characters@home.example";
      const page = await visitor.begin({ state, nonce: state });
      await visitor.ask(page, address);
      const count = service.mails.received.filter(({ to }) => to[0] === address).length + 1;
      const code = await codeFor(service.mails, address, count);
      const { searchParams } = await visitor.follow(await visitor.type(page, code));
      expect(searchParams.get("state")).toBe(state.replaceAll(/[\0\uFFFF]/g, "\uFFFD"));
    }
  });

  it("does not take a parameter twice, nor another client", async () => {
    const { status } = await refused({ client_id: "somebody" });
    expect(status).toBe(400);
    const visitor = visitorOf(service.origin);
    const response = await visitor.browser.get(
      `${issuer()}/auth?client_id=parking-web&client_id=parking-web&response_type=code`,
    );
    expect(response.status).toBe(400);
  });

  it("has its addresses from the settings, not from the Host header", async () => {
    const response = await visitorOf(service.origin).browser.get(
      `${issuer()}/.well-known/openid-configuration`,
      { "x-forwarded-host": "evil.example", "x-forwarded-proto": "https" },
    );
    const text = await response.text();
    expect(text).not.toContain("evil");
    expect(text).not.toMatch(/dpop|userinfo|pushed|device|introspection/);
    expect(JSON.parse(text)).toMatchObject({
      issuer: issuer(),
      authorization_endpoint: `${issuer()}/auth`,
      code_challenge_methods_supported: ["S256"],
      response_types_supported: ["code"],
      grant_types_supported: expect.not.arrayContaining(["implicit", "password"]),
      token_endpoint_auth_methods_supported: ["none"],
      authorization_response_iss_parameter_supported: true,
    });
  });

  it("no page of another origin reads an answer of the token endpoint, and none the sign-in", async () => {
    const reader = async (path: string, origin: string) => {
      const body = new URLSearchParams({ grant_type: "refresh_token", client_id: "parking-web" });
      const init = path === "/token" ? { method: "POST", body } : { redirect: "manual" as const };
      const response = await fetch(issuer() + path, { ...init, headers: { origin } });
      return response.headers.get("access-control-allow-origin");
    };
    expect(await reader("/token", service.origin)).toBe(service.origin);
    for (const origin of ["https://evil.example", "null", `${service.origin}.evil.example`])
      expect(await reader("/token", origin)).toBeNull();
    expect(await reader("/auth?client_id=parking-web", service.origin)).toBeNull();
  });

  it("asks on a page that nobody can put into a frame, keep, or run a script of theirs in", async () => {
    const visitor = visitorOf(service.origin);
    const response = await visitor.browser.get(await visitor.begin());
    const { headers } = response;
    const own = /<script>(.*?)<\/script>/s.exec(await response.text())?.[1] ?? "";
    const script = `'sha256-${hash("sha256", own, "base64")}'`;
    expect(headers.get("content-security-policy")?.replace(script, "…")).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; script-src …; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
    );
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  });
});

describe("a sign-in", () => {
  it("is bound to the browser that began it", async () => {
    const visitor = visitorOf(service.origin);
    const page = await visitor.begin();
    const other = visitorOf(service.origin);
    expect((await other.browser.get(page)).status).toBe(400);
    expect((await other.ask(page, newAddress())).status).toBe(400);
    expect((await other.type(page, "123456")).status).toBe(400);
  });

  it("takes no form of another site", async () => {
    const visitor = visitorOf(service.origin);
    const page = await visitor.begin();
    const fields = { email: newAddress() };
    for (const site of ["cross-site", "same-site"]) {
      const answer = await visitor.browser.post(page, fields, { "sec-fetch-site": site });
      expect(answer.status).toBe(403);
    }
    const own = await visitor.browser.post(page, fields, { "sec-fetch-site": "same-origin" });
    expect(own.status).toBe(303);
  });

  it("has cookies that no script reads, no other site sends, and that are signed", async () => {
    const visitor = visitorOf(service.origin);
    const response = await visitor.authorize();
    const cookies = response.headers.getSetCookie().map((it) => it.toLowerCase());
    expect(cookies.length).toBeGreaterThan(1);
    for (const cookie of cookies) {
      expect(cookie).toContain("; httponly");
      expect(cookie).toContain("; samesite=lax");
      expect(cookie).toMatch(/; path=\/identity\//);
    }
    expect(cookies.some((cookie) => cookie.startsWith("_interaction.sig="))).toBe(true);
  });

  it("goes on in each of two tabs", async () => {
    const visitor = visitorOf(service.origin);
    const [one, two] = [await visitor.begin(), await visitor.begin()];
    const [first, second] = [newAddress(), newAddress()];
    await visitor.ask(one, first);
    await visitor.ask(two, second);
    const back = await visitor.follow(await visitor.type(one, await codeFor(service.mails, first)));
    const tokens = await readJson<Tokens>(await visitor.exchange(back.searchParams.get("code")));
    expect(decodeJwt(tokens.access_token).email).toBe(first);
  });

  it("changes the id of the session", async () => {
    const { visitor } = await signedIn();
    const session = () => visitor.browser.cookies().find(({ pair }) => /^_session=/.test(pair));
    const before = session()?.pair;
    expect(before).toBeDefined();
    const page = await visitor.begin({ prompt: "login" });
    await visitor.ask(page, newAddress());
    const address = `person.${people}@home.example`;
    await visitor.type(page, await codeFor(service.mails, address));
    const again = await visitor.begin({ prompt: "login" });
    await visitor.browser.get(again);
    const fixed = visitorOf(service.origin);
    fixed.browser.keep(`${before}; path=/identity`);
    const { searchParams } = locationOf(await fixed.authorize({ prompt: "none" }));
    expect(searchParams.get("error")).toBe("login_required");
  });

  it("is of the address in lower case, as profiles are, and mails go to one address alone", async () => {
    const visitor = visitorOf(service.origin);
    const page = await visitor.begin();
    await holdsForAll(
      [
        "",
        "maria",
        "maria@localhost",
        "a@home.example, b@home.example",
        "Maria <a@home.example>",
        "a@home.example\r\nBcc: b@evil.example",
        "a@home.example%0d%0aBcc:b@evil.example\n",
        "a\u0000@home.example",
        "a\u200b@home.example",
        "a\u202e@home.example",
        `${"a".repeat(320)}@home.example`,
      ],
      async (address) => {
        const { status } = await visitor.ask(page, address);
        expect(status).toBe(400);
      },
    );
    expect((await visitor.ask(page, "x".repeat(10_000))).status).toBe(413);
    // Another letter is another address: the mail goes to the person who has that one.
    await visitor.ask(page, "pаypal@home.example");
    const { rows } = await owner.query(
      "select address from identity.codes where address ~ '^p.yp'",
    );
    expect(rows).toEqual([{ address: "pаypal@home.example" }]);
  });

  it("ends with a page that says so where the account is erased before the browser goes on", async () => {
    const erase = (address: string) => `delete from identity.accounts where address = '${address}'`;
    const begun = async () => {
      const visitor = visitorOf(service.origin);
      const address = newAddress();
      const page = await visitor.begin();
      await visitor.ask(page, address);
      const code = await codeFor(service.mails, address);
      return { address, visitor, type: () => visitor.type(page, code) };
    };
    const explained = async (answer: Response) => {
      expect([answer.status, await answer.text()]).toEqual([
        400,
        expect.stringContaining("Please go back and sign in again."),
      ]);
    };

    const late = await begun();
    const entered = await late.type();
    await owner.query(erase(late.address));
    await explained(await late.visitor.browser.get(locationOf(entered)));

    const early = await begun();
    const { answer } = await withTransactionOf(owner, async (client) => {
      // The code can be tried, and its result cannot be stored.
      await client.query("lock table identity.documents in share mode");
      const typed = early.type();
      await until("the sign-in waits", async () => {
        const { rowCount } = await client.query(
          "select from pg_stat_activity where pg_backend_pid() = any (pg_blocking_pids(pid))",
        );
        return rowCount === 1;
      });
      await client.query(erase(early.address));
      await client.query("commit");
      return { answer: typed };
    });
    await explained(await answer);
  });

  it("shows what was typed as a text", async () => {
    const visitor = visitorOf(service.origin);
    const answer = await visitor.ask(await visitor.begin(), `"><script>alert(1)</script>`);
    expect(await answer.text()).toContain(
      `value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"`,
    );
  });
});

describe("a mail with a code", () => {
  it("has no link, which a scanner would open, and says whose building it is", async () => {
    const { address } = await signedIn();
    const mail = service.mails.received.find(({ to }) => to[0] === address);
    expect(`${mail?.text}${mail?.html}`).not.toMatch(/https?:|href|src=/);
    expect(mail?.text).toContain("Lindenhof 5");
    expect(mail?.headers.join()).not.toMatch(/List-Unsubscribe/i);
  });

  it("is in the language of the person's browser", async () => {
    const address = newAddress();
    const visitor = visitorOf(service.origin);
    const page = await visitor.begin();
    await visitor.browser.post(page, { email: address }, { "accept-language": "de" });
    await codeFor(service.mails, address);
    const mail = service.mails.received.find(({ to }) => to[0] === address);
    expect(mail?.text).toContain("Er gilt zehn Minuten");
  });
});

describe("the code of a sign-in for the page", () => {
  it("is exchanged only with the verifier and the address that it was asked for with", async () => {
    const { visitor, code } = await signedIn();
    await holdsForAll(
      [
        { code_verifier: "x".repeat(43) },
        { code_verifier: "" },
        { redirect_uri: "https://evil.example/" },
        { client_id: "another" },
      ],
      async (changes) => {
        const other = await signedIn();
        const response = await other.visitor.exchange(other.code, changes);
        expect([400, 401]).toContain(response.status);
      },
    );
    expect((await visitor.exchange(code)).status).toBe(200);
  });

  it("works once: used again, it ends what came of it", async () => {
    const { visitor, code } = await signedIn();
    const tokens = await readJson<Tokens>(await visitor.exchange(code));
    expect(await errorOf(await visitor.exchange(code))).toBe("invalid_grant");
    expect(await errorOf(await visitor.renew(tokens.refresh_token))).toBe("invalid_grant");
  });

  it("works once also for many requests at the same moment", async () => {
    const { visitor, code } = await signedIn();
    const answers = await Promise.all(Array.from({ length: 8 }, () => visitor.exchange(code)));
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
  });
});

describe("a refresh token", () => {
  it("works once: used again, by whomever, all of its sign-in ends", async () => {
    const { visitor, code } = await signedIn();
    const first = await readJson<Tokens>(await visitor.exchange(code));
    const second = await readJson<Tokens>(await visitor.renew(first.refresh_token));
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect(await errorOf(await visitor.renew(first.refresh_token))).toBe("invalid_grant");
    expect(await errorOf(await visitor.renew(second.refresh_token))).toBe("invalid_grant");
  });

  it("works once also for many requests at the same moment", async () => {
    const { visitor, code } = await signedIn();
    const { refresh_token, access_token } = await readJson<Tokens>(await visitor.exchange(code));
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => visitor.renew(refresh_token)),
    );
    const good = answers.filter(({ status }) => status === 200);
    expect(good.length).toBeLessThanOrEqual(1);
    const kept = `select from identity.documents
      where model = 'Grant' and account_id = $1 and expires_at > clock_timestamp()`;
    expect((await owner.query(kept, [decodeJwt(access_token).sub])).rows).toEqual([]);
    for (const answer of good) {
      const { refresh_token: next } = await readJson<Tokens>(answer);
      expect((await visitor.renew(next)).status).toBe(400);
    }
  });

  it("ends with the days of the building, also where they become fewer", async () => {
    const { visitor, code } = await signedIn();
    const tokens = await readJson<Tokens>(await visitor.exchange(code));
    await owner.query(
      "update identity.documents set signed_in_at = signed_in_at - interval '8 days'",
    );
    await owner.query("update parking.building set session_days = 9");
    const renewed = await readJson<Tokens>(await visitor.renew(tokens.refresh_token));
    expect(renewed.refresh_token).toBeDefined();
    await owner.query(
      "update identity.documents set signed_in_at = signed_in_at - interval '8 days' where signed_in_at > now() - interval '1 day'",
    );
    await owner.query("update parking.building set session_days = 7");
    expect(await errorOf(await visitor.renew(renewed.refresh_token))).toBe("invalid_grant");
    const { searchParams } = locationOf(await visitor.authorize({ prompt: "none" }));
    expect(searchParams.get("error")).toBe("login_required");
    await owner.query("update parking.building set session_days = 30");
  });
});

describe("signing out", () => {
  const signOut = async (visitor: Visitor, parameters: Readonly<Record<string, string>>) => {
    const query = new URLSearchParams({ client_id: "parking-web", ...parameters });
    return visitor.browser.get(`${issuer()}/session/end?${query}`);
  };

  it("ends the session, the refresh tokens, and nobody else's", async () => {
    const { visitor, code } = await signedIn();
    const tokens = await readJson<Tokens>(await visitor.exchange(code));
    const elsewhere = await signedIn();
    const other = await readJson<Tokens>(await elsewhere.visitor.exchange(elsewhere.code));

    const sessions = await owner.query(
      "select id_hash, payload from identity.documents where model = 'Session' and account_id = $1",
      [decodeJwt(tokens.access_token).sub],
    );
    const cookies = visitor.browser.cookies().filter(({ pair }) => pair.startsWith("_session"));

    const page = await signOut(visitor, {
      id_token_hint: tokens.id_token,
      post_logout_redirect_uri: `${service.origin}/`,
    });
    const { action, fields } = formOf(await page.text());
    const done = await visitor.browser.post(action, { ...fields, logout: "yes" });
    expect(locationOf(done).href).toBe(`${service.origin}/`);
    expect(await errorOf(await visitor.renew(tokens.refresh_token))).toBe("invalid_grant");
    // A request that the browser had sent before stores its session only now.
    for (const { id_hash: hash, payload } of sessions.rows)
      await owner.query("select identity.keep_document('Session', $1, null, $2, 3600)", [
        hash,
        payload,
      ]);
    const same = visitorOf(service.origin);
    for (const { pair } of cookies) same.browser.keep(`${pair}; path=/identity`);
    for (const it of [visitor, same]) {
      const { searchParams } = locationOf(await it.authorize({ prompt: "none" }));
      expect(searchParams.get("error")).toBe("login_required");
    }
    expect((await elsewhere.visitor.renew(other.refresh_token)).status).toBe(200);
  });

  it("leads only to the page, and needs a press there", async () => {
    const { visitor, code } = await signedIn();
    const { id_token } = await readJson<Tokens>(await visitor.exchange(code));
    const hint = { id_token_hint: id_token };
    for (const post_logout_redirect_uri of ["https://evil.example/", service.origin])
      expect((await signOut(visitor, { ...hint, post_logout_redirect_uri })).status).toBe(400);
    // Another site can open the page, but has no secret of its form.
    await signOut(visitor, hint);
    const forged = await visitor.browser.post(`${issuer()}/session/end/confirm`, {
      xsrf: "guessed",
      logout: "yes",
    });
    expect(forged.status).toBe(400);
    expect(
      locationOf(await visitor.authorize({ prompt: "none" })).searchParams.get("code"),
    ).toBeTruthy();
  });
});
