import { describe, expect, it } from "@jest/globals";
import { routes } from "../../src/contract/routes.ts";
import { answerOf, refusal } from "../support/answers.ts";
import { holding, hours, openBuilding, spotOf, useBuilding } from "../support/building.ts";
import { listenTo, orderEvents } from "../support/events.ts";
import { type Key, type Machine, machineOf } from "../support/keys.ts";
import { opened } from "../support/opened.ts";
import { type Failure, requestJson } from "../support/person.ts";
import { writePastRules } from "../support/rows.ts";
import { holdsForAll } from "../support/table.ts";
import { until } from "../support/waiting.ts";

const building = useBuilding();
const administrator = building.shared("administrator");
const reader = opened(() => machineOf(building, administrator, ["reports"]));

const REPORT = "/admin/reports/use-by-hour?from=2024-01-01&until=2024-02-01";
const given = () => ({ name: "Roof", scopes: ["gate", "events"], expires_at: hours(24) });
const vehicle = "B-AB 1";
/** What a path needs before its caller is judged. */
const queries: Readonly<Record<string, string>> = { "/gate": `?vehicle=${vehicle}` };
const statusOf = async (machine: Machine) => (await machine.get(REPORT)).status;

describe("POST /admin/keys", () => {
  it("makes one, and shows the secret that nothing else shows", async () => {
    const body = given();
    const answer = await administrator.post<{ key: Key }>("/admin/keys", body, 201);
    const { secret, ...key } = answer.body.key;
    expect(secret).toMatch(/^parking_[\w-]{43}$/);
    expect(key).toEqual({
      id: expect.any(String),
      ...body,
      maker_id: administrator.id,
      last_used_at: null,
      created_at: expect.any(String),
    });
    const path = `/admin/keys/${key.id}`;
    expect(answer.headers.get("Location")).toBe(`/api${path}`);
    expect(answer.headers.get("Cache-Control")).toContain("no-store");
    expect((await administrator.get(path)).body).toEqual({ key });
    expect((await administrator.get<{ keys: Key[] }>("/admin/keys")).body.keys).toContainEqual(key);
    const stored = await building.rows("select k::text from parking.keys k");
    expect(JSON.stringify(stored)).not.toContain(secret.slice(8, 30));

    expect((await administrator.delete(path, 200)).body).toEqual({
      message: "Key deleted successfully",
      deleted_key_id: key.id,
    });
    expect(answerOf(await administrator.get(path))).toEqual(refusal(404, "Key not found"));
  });

  it("is written in the log of events, and so is its end", async () => {
    const made = await machineOf(building, administrator, ["gate"]);
    await administrator.delete(`/admin/keys/${made.id}`, 200);
    await orderEvents(building.service);
    const events = await building.rows(
      "select type, actor_id, data from private.events where subject_id = $1 order by position",
      [made.id],
    );
    const data = {
      id: made.id,
      name: "Barrier",
      scopes: ["gate"],
      maker_id: administrator.id,
      expires_at: expect.stringMatching(/Z$/),
      created_at: expect.stringMatching(/Z$/),
    };
    expect(events).toEqual([
      { type: "key.created", actor_id: administrator.id, data },
      { type: "key.deleted", actor_id: administrator.id, data },
    ]);
  });
});

describe("a key", () => {
  it("reads what its scope names, and its use is shown", async () => {
    expect(await statusOf(reader)).toBe(200);
    await until("the use is noted", async () => {
      const { body } = await administrator.get<{ key: Key }>(`/admin/keys/${reader.id}`, 200);
      return body.key.last_used_at !== null;
    });
  });

  it("reads in each report what administrators read", async () => {
    const { claimer } = await holding(building);
    const [from, until] = ["2025-04-01", "2025-04-08"];
    await writePastRules(
      building,
      "insert into parking.wishes (wisher_id, start_time, end_time) values ($1, $2, $3)",
      [claimer.id, `${from}T10:00Z`, `${from}T12:00Z`],
    );
    const reports = routes.filter(({ scope }) => scope === "reports");
    const [today, next] = [hours(0), hours(24)].map((it) => it.slice(0, 10));
    await holdsForAll(
      reports.flatMap(({ path }) => [
        `${path}?from=${from}&until=${until}`,
        `${path}?from=${today}&until=${next}`,
      ]),
      async (path) => {
        const { body } = await administrator.get<object>(path, 200);
        expect((await reader.get<object>(path)).body).toEqual(body);
      },
    );
    const path = `/admin/reports/unmet-wishes?from=${from}&until=${until}`;
    expect(JSON.stringify((await reader.get<object>(path)).body)).toContain('"wished_minutes":60');
  });

  it("may use nothing else, by any method", async () => {
    const others = routes.flatMap(({ method, path, scope, bySecret }) =>
      scope === "reports" || bySecret ? [] : [{ method, path, scope }],
    );
    await holdsForAll(others, async ({ method, path, scope }) => {
      const asked = path.replace(/:\w+/, crypto.randomUUID()) + (queries[path] ?? "");
      const body = { vehicle, direction: "in" };
      const answer = await reader.ask(method, asked, method === "GET" ? undefined : body);
      expect([answer.status, answer.headers.get("X-Error-Code")]).toEqual([
        403,
        scope === undefined ? "forbidden" : "key_scope_required",
      ]);
    });
  });

  it.each(["{ __schema { types { name } } }", "{ __typename }", "{ spots { totalCount } }"])(
    "may not ask GraphQL: %s",
    async (query) => {
      const answer = await reader.post<{ data?: unknown }>("/graphql", { query });
      expect(answer.status).toBe(403);
      expect(answer.body.data).toBeUndefined();
    },
  );

  it("goes on when its maker is no administrator any more, and ends when it is withdrawn", async () => {
    const maker = await building.administrator();
    const machine = await machineOf(building, maker, ["reports"]);
    expect(await statusOf(machine)).toBe(200);
    await administrator.put(`/admin/profiles/${maker.id}`, { is_admin: false }, 200);
    expect(await statusOf(machine)).toBe(200);

    await administrator.delete(`/admin/keys/${machine.id}`, 200);
    expect([401, 403]).toContain(await statusOf(machine)); // its scopes end at once
    await until("it is forgotten", async () => (await statusOf(machine)) === 401);
  });

  it("ends at its time", async () => {
    const machine = await machineOf(building, administrator, ["reports"]);
    await building.rows(
      "update parking.keys set created_at = now() - interval '2 days', expires_at = now() - interval '1 second' where id = $1",
      [machine.id],
    );
    expect(await statusOf(machine)).toBe(401);
  });

  it("is no claim of a token", async () => {
    const token = await building.service.issuer.token({
      sub: (await building.newcomer()).id,
      key: reader.id,
    });
    const answer = await requestJson<Failure>(building.service.origin, "GET", `/api${REPORT}`, {
      token,
    });
    expect(answerOf(answer)).toEqual(refusal(403, "Account not approved"));
  });

  it("for events follows what administrators see, until it is withdrawn", async () => {
    const machine = await machineOf(building, administrator, ["events"]);
    await orderEvents(building.service);
    const ear = await listenTo(building.service, { token: machine.secret });
    const resident = await building.resident();
    await spotOf(resident);
    await orderEvents(building.service);
    const heard = await ear.until((all) => all.some(({ type }) => type === "spot.registered"));
    expect(heard.map(({ type }) => type)).toContain("profile.registered");
    expect(heard.map(({ type }) => type)).not.toContain("notification.created");

    await administrator.delete(`/admin/keys/${machine.id}`, 200);
    expect(await ear.over).toBe("ended");
    expect((await listenTo(building.service, { token: reader.secret })).status).toBe(403);
  });
});

it("the limits of keys are their own, and those of unknown ones are the address's", async () => {
  const limited = await openBuilding({
    rateLimits: { keyPerMinute: 3, perMinute: 1_000, refusedTokensPerMinute: 4 },
  });
  try {
    const maker = await limited.administrator();
    const [one, other] = [
      await machineOf(limited, maker, ["reports"]),
      await machineOf(limited, maker, ["reports"]),
    ];
    const answers = [];
    for (let asked = 0; asked < 4; asked++) answers.push(await statusOf(one));
    expect(answers).toEqual([200, 200, 200, 429]);
    expect(await statusOf(other)).toBe(200);
    await maker.get("/admin/keys", 200);

    const guess = async (number: number) => {
      const token = `parking_${String(number).padStart(43, "x")}`;
      const { origin } = limited.service;
      return (await requestJson<Failure>(origin, "GET", `/api${REPORT}`, { token })).status;
    };
    const guesses = [];
    for (let number = 0; number < 6; number++) guesses.push(await guess(number));
    expect(guesses).toEqual([401, 401, 401, 401, 429, 429]);
    expect(await statusOf(other)).toBe(200); // those that are known go on
    const unknown = await machineOf(limited, maker, ["reports"]);
    expect(await statusOf(unknown)).toBe(429); // no other secret is looked up until the minute is over
  } finally {
    await limited.close();
  }
});
