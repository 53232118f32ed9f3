import { afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { useArena } from "../support/arena.ts";
import { spotOf } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { claimsOf, setClaims, withTransactionOf } from "../support/sql.ts";
import { untilWaiting } from "../support/waiting.ts";
import { notGranted, refusedBy, refusedByPolicy, type Statement } from "./support.ts";

const building = useArena(3);
let administrator: Person;
let resident: Person;
beforeAll(async () => {
  administrator = await building.administrator();
  resident = await building.resident();
});
afterEach(async () => {
  await building.rows("delete from parking.webhooks");
});

const URL = "https://hooks.example.org/parking";
const TYPES = ["spot.registered", "claim.submitted"];

const insert = (url: string | null = URL, types: unknown = TYPES, format = "event"): Statement => [
  "insert into parking.webhooks (url, types, format) values ($1, $2, $3) returning id",
  [url, types, format],
];
const made = async (): Promise<string> => {
  const { rows } = await administrator.sql<{ id: string }>(...insert());
  return rows[0]?.id ?? "";
};
const stored = () => building.rows("select url, enabled from parking.webhooks order by id");

/** As the service, for which no request asks. */
const asService = async (sql: string, values: readonly unknown[] = []) =>
  (await building.service.pool.query(sql, [...values])).rows;
const order = () => asService("select private.order_events()");

describe("administrator_required", () => {
  it("refuses a webhook by anybody else", async () => {
    for (const person of [resident, await building.unapproved(), await building.newcomer()])
      expect(await person.sqlError(...insert())).toMatchObject(
        refusedByPolicy("administrator_required"),
      );
    expect(await stored()).toEqual([]);
  });

  it("hides webhooks and deliveries from anybody else", async () => {
    const id = await made();
    await administrator.sql("select from api.test_webhook($1)", [id]);
    expect((await administrator.sql("select from parking.deliveries")).rowCount).toBe(1);
    for (const sql of ["select from parking.webhooks", "select from parking.deliveries"])
      expect((await resident.sql(sql)).rowCount).toBe(0);
    for (const sql of [
      "delete from parking.webhooks",
      "update parking.webhooks set url = 'https://mine.example'",
    ])
      expect(await resident.sqlError(sql)).toMatchObject(
        refusedBy("administrator_required", "42501"),
      );
    expect(await stored()).toEqual([{ url: URL, enabled: true }]);
  });

  it.each([
    "select private.give_webhook_secret($1)",
    "select private.add_test_delivery($1)",
    "select private.replay($1, 0, null)",
    "select api.rotate_webhook($1)",
    "select api.replay_webhook($1)",
  ])("refuses to anybody else: %s", async (sql) => {
    const id = await made();
    expect(await resident.sqlError(sql, [id])).toMatchObject({
      code: "42501",
      constraint: "administrator_required",
    });
  });
});

describe("webhooks_url_is_https", () => {
  it.each([
    "https://example.org",
    "https://example.org:8443/a?b=c#d",
    "HTTPS://EXAMPLE.ORG/",
    "https://[2606:4700::1111]/",
    "http://localhost:3000/",
    "http://127.0.0.1/hook",
    "http://[::1]:8080",
  ])("takes %s", async (url) => {
    await administrator.sql(...insert(url));
  });

  it.each([
    "http://example.org/",
    "http://localhost.example.org/",
    "http://127.0.0.1.example.org/",
    "http://127.0.0.1@example.org/",
    "https://user@example.org/",
    "https://user:secret@example.org/",
    "https:///path",
    "https://exa mple.org/",
    "https://example.org\\@localhost/",
    "https:example.org",
    "ftp://example.org/",
    "javascript:alert(1)",
    "example.org",
  ])("refuses %s", async (url) => {
    expect(await administrator.sqlError(...insert(url))).toMatchObject(
      refusedBy("webhooks_url_is_https"),
    );
  });
});

describe("webhooks_url_is_one_line", () => {
  it("takes 2000 characters, and not one more", async () => {
    await administrator.sql(...insert(URL.padEnd(2000, "x")));
    expect(await administrator.sqlError(...insert(URL.padEnd(2001, "x")))).toMatchObject(
      refusedBy("webhooks_url_is_one_line"),
    );
  });
});

describe("webhooks_types_are_known", () => {
  it.each<readonly [readonly (string | readonly string[])[]]>([
    [[]],
    [[["claim.submitted"], ["claim.cancelled"]]],
    [["claim.made"]],
    [["claim.submitted", "claim.submitted"]],
    [["claim.submitted", "pattern.created"]], // those of others, administrators do not see
    [["notification.created"]],
    [["webhook.test"]],
  ])("refuses %j", async (types) => {
    expect(await administrator.sqlError(...insert(URL, types))).toMatchObject(
      refusedBy("webhooks_types_are_known"),
    );
  });
});

describe("webhooks_format_is_known", () => {
  it("takes chat, and no other", async () => {
    await administrator.sql(...insert(URL, TYPES, "chat"));
    expect(await administrator.sqlError(...insert(URL, TYPES, "xml"))).toMatchObject(
      refusedBy("webhooks_format_is_known"),
    );
  });
});

describe("webhooks_twenty_at_most", () => {
  it("refuses one more, also where two come at once", async () => {
    for (let i = 0; i < 19; i += 1) await made();
    await withTransactionOf(building.direct, async (first) => {
      await setClaims(first, claimsOf(administrator));
      await first.query(...(insert() as [string, unknown[]]));
      const second = administrator.sqlError(...insert());
      await untilWaiting(building, 1);
      await first.query("commit");
      expect(await second).toMatchObject(refusedBy("webhooks_twenty_at_most"));
    });
    expect(await stored()).toHaveLength(20);
  });

  it("lets many come at once, and refuses all but twenty", async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 30 }, made));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(20);
    for (const outcome of outcomes)
      if (outcome.status === "rejected")
        expect(outcome.reason).toMatchObject(refusedBy("webhooks_twenty_at_most"));
  });
});

describe("webhooks", () => {
  it("do not change hands, dates or failures", async () => {
    const id = await made();
    for (const column of ["id", "failing_since", "created_at"])
      expect(
        await administrator.sqlError(`update parking.webhooks set ${column} = ${column}`),
      ).toMatchObject(notGranted);
    await building.rows("update parking.webhooks set failing_since = now(), enabled = false");
    await administrator.sql("update parking.webhooks set enabled = true where id = $1", [id]);
    expect(await building.rows("select failing_since from parking.webhooks")).toEqual([
      { failing_since: null },
    ]);
  });

  it("are sent what is committed from then on, of their types, once", async () => {
    await spotOf(resident);
    await order();
    const id = await made();
    const off = await made();
    await administrator.sql("update parking.webhooks set enabled = false where id = $1", [off]);
    const spot = await spotOf(resident);
    await resident.put(`/parking-spots/${spot.id}`, { spot_number: `${spot.spot_number}x` }, 200);
    await order();
    await order();
    const jobs = await building.rows(
      `select j.lane, e.type, e.subject_id
         from private.jobs j
         join private.events e on e.id = j.event_id
        where j.kind = 'webhook'`,
    );
    expect(jobs).toEqual([{ lane: `webhook:${id}`, type: "spot.registered", subject_id: spot.id }]);
  });

  it("take what was sent to them along when they are deleted", async () => {
    const [id, other] = [await made(), await made()];
    for (const it of [id, other]) await administrator.sql("select from api.test_webhook($1)", [it]);
    await administrator.sql("delete from parking.webhooks where id = $1", [id]);
    expect(await building.rows("select lane from private.jobs where kind = 'webhook'")).toEqual([
      { lane: `webhook:${other}` },
    ]);
  });

  it.each(["private.get_delivery($1, $1)", "private.note_delivery($1, false, true)"])(
    "are sent to by the service alone: %s",
    async (call) => {
      expect(await administrator.sqlError(`select ${call}`, [await made()])).toMatchObject({
        message: "This is for the service itself",
      });
    },
  );
});

describe("a webhook that fails", () => {
  const note = (id: string, succeeded: boolean, isGone = false) =>
    asService("select private.note_delivery($1, $2, $3)", [id, succeeded, isGone]);
  const state = async () =>
    (
      await building.rows<{ enabled: boolean; is_failing: boolean }>(
        "select enabled, failing_since is not null as is_failing from parking.webhooks",
      )
    )[0];
  const told = () =>
    building.rows("select recipient_id from parking.notifications where kind = 'webhook.disabled'");

  it("stays on for five days, and is then turned off; administrators are told once", async () => {
    const id = await made();
    await note(id, false);
    expect(await state()).toEqual({ enabled: true, is_failing: true });
    const age = (interval: string) =>
      building.rows("update parking.webhooks set failing_since = now() - $1::interval", [interval]);
    await age("4 days 23 hours");
    await note(id, false);
    expect(await state()).toEqual({ enabled: true, is_failing: true });
    expect(await told()).toEqual([]);

    await age("5 days 1 minute");
    await note(id, false);
    await note(id, false);
    expect(await state()).toEqual({ enabled: false, is_failing: true });
    expect(await told()).toEqual([{ recipient_id: administrator.id }]);
    await building.rows("delete from parking.notifications");
  });

  it("has five days anew after a success", async () => {
    const id = await made();
    await note(id, false);
    await note(id, true);
    expect(await state()).toEqual({ enabled: true, is_failing: false });
  });

  it("is turned off at once where its receiver wants no more", async () => {
    const id = await made();
    await note(id, false, true);
    expect(await state()).toMatchObject({ enabled: false });
    expect(await told()).toEqual([{ recipient_id: administrator.id }]);
  });
});
