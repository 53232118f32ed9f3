import { afterEach, describe, expect, it } from "@jest/globals";
import { useArena } from "../support/arena.ts";
import { spotOf } from "../support/building.ts";
import { refusedBy, type Statement } from "./support.ts";

const building = useArena(3);
const administrator = building.shared("administrator");
const resident = building.shared("resident");
afterEach(async () => {
  await building.rows("delete from parking.webhooks");
});

const insert: Statement = [
  `insert into parking.webhooks (url, types)
   values ('https://hooks.example.org/parking', '{spot.registered, claim.submitted}')
   returning id`,
  [],
];
const made = async (): Promise<string> => {
  const { rows } = await administrator.sql<{ id: string }>(...insert);
  return rows[0]?.id ?? "";
};

/** As the service, for which no request asks. */
const asService = async (sql: string, values: readonly unknown[] = []) =>
  (await building.service.pool.query(sql, [...values])).rows;
const order = () => asService("select private.order_events()");

it.each([
  "select private.give_webhook_secret($1)",
  "select private.add_test_delivery($1)",
  "select private.replay($1, 0, null)",
  "select api.rotate_webhook($1)",
  "select api.replay_webhook($1)",
])("administrator_required refuses to anybody else: %s", async (sql) => {
  const id = await made();
  expect(await resident.sqlError(sql, [id])).toMatchObject({
    code: "42501",
    constraint: "administrator_required",
  });
});

describe("webhooks", () => {
  it("that are turned on again have not failed", async () => {
    const id = await made();
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

  it("is turned off at once where its receiver wants no more", async () => {
    const id = await made();
    await note(id, false, true);
    expect(await state()).toMatchObject({ enabled: false });
    expect(await told()).toEqual([{ recipient_id: administrator.id }]);
  });
});

describe("the secrets of a webhook", () => {
  const give = async (id: string): Promise<string> => {
    const sql = "select private.give_webhook_secret($1) as secret";
    return (await administrator.sql<{ secret: string }>(sql, [id])).rows[0]?.secret ?? "";
  };
  const signing = async (id: string) =>
    (await asService("select secrets from private.get_delivery($1, null)", [id]))[0]?.secrets;

  it("sign for a day after they were replaced, the last of them only", async () => {
    const id = await made();
    const [first, second] = [await give(id), await give(id)];
    expect(first).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(await signing(id)).toEqual([second, first]);
    const third = await give(id);
    expect(await signing(id)).toEqual([third, second]);
    await building.rows(
      "update private.webhook_secrets set expires_at = now() - interval '1 s' where expires_at is not null",
    );
    expect(await signing(id)).toEqual([third]);
  });

  it("webhook_secrets_of_a_webhook: are of one, and go with it", async () => {
    const id = await made();
    await give(id);
    await administrator.sql("delete from parking.webhooks where id = $1", [id]);
    expect(await building.rows("select from private.webhook_secrets")).toEqual([]);
    await expect(give(id)).rejects.toMatchObject(
      refusedBy("webhook_secrets_of_a_webhook", "23503"),
    );
  });
});
