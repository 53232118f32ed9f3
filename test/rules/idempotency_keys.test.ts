import { describe, expect, it } from "@jest/globals";
import { useArena } from "../support/arena.ts";
import { claimsOf, setClaims, withTransactionOf } from "../support/sql.ts";
import { refusedBy, tryAsOwner } from "./support.ts";

const building = useArena(3);
const person = building.shared("resident");
const other = building.shared("resident");

const TAKE = "select body, location_id from private.take_idempotency_key($1, $2)";
const KEEP = "select private.keep_answer($1, $2, $3, null)";

const take = async (key: string, fingerprint = "one", who = person) =>
  (await who.sql(TAKE, [key, fingerprint])).rows;
const keep = (key: string, body = '{"a":{"b":1}}', who = person) =>
  who.sql(KEEP, [key, "one", body]);
const expire = (key: string) =>
  building.rows(
    "update private.idempotency_keys set expires_at = now() - interval '1 ms' where key = $1",
    [key],
  );
const keys = async () => {
  const rows = await building.rows<{ key: string }>("select key from private.idempotency_keys");
  return rows.map(({ key }) => key);
};

describe("a kept answer", () => {
  it("is there for its person, under its key", async () => {
    await keep("found");
    expect(await take("found")).toEqual([{ body: '{"a":{"b":1}}', location_id: null }]);
    expect(await take("other")).toEqual([]);
    expect(await take("found", "one", other)).toEqual([]);
  });

  it("is there for 24 hours", async () => {
    await keep("old");
    const [row] = await building.rows(
      "select expires_at - now() between '23:59' and '24:00' as kept from private.idempotency_keys where key = 'old'",
    );
    expect(row).toEqual({ kept: true });
    await expire("old");
    expect(await take("old", "another")).toEqual([]);
    expect(await keys()).not.toContain("old");
  });

  it("deletes two that expired, of anybody", async () => {
    for (const key of ["a", "b", "c"]) await keep(key, "{}", other);
    for (const key of ["a", "b", "c"]) await expire(key);
    await keep("new");
    const left = await keys();
    expect(left.filter((key) => /^[abc]$/.test(key))).toEqual(["c"]);
  });
});

describe("idempotency_key_in_use", () => {
  const refused = { ...refusedBy("idempotency_key_in_use", "23505") };

  /** Takes the key in a transaction that stays open meanwhile. */
  const whileTaken = <T>(key: string, use: () => Promise<T>, end = "rollback") =>
    withTransactionOf(building.direct, async (client) => {
      await setClaims(client, claimsOf(person));
      await client.query(TAKE, [key, "one"]);
      const result = await use();
      await client.query(end);
      return result;
    });

  it("refuses a key that another transaction has, at once", async () => {
    const error = await whileTaken("running", () => person.sqlError(TAKE, ["running", "one"]));
    expect(error).toMatchObject(refused);
  });

  it("does not refuse other keys, nor the same key of another person", async () => {
    await whileTaken("running", async () => {
      expect(await take("runnin")).toEqual([]);
      expect(await take("running", "one", other)).toEqual([]);
    });
  });

  it.each(["rollback", "commit"])("does not refuse it after a %s", async (end) => {
    await whileTaken(end, async () => {}, end);
    expect(await take(end)).toEqual([]);
  });

  it("refuses a second answer under one key", async () => {
    await keep("kept twice");
    expect(await person.sqlError(KEEP, ["kept twice", "one", "{}"])).toMatchObject(refused);
  });
});

describe("idempotency_key_reused", () => {
  const refused = refusedBy("idempotency_key_reused");

  it("refuses a key that stands for another request", async () => {
    await keep("reused");
    expect(await person.sqlError(TAKE, ["reused", "another"])).toMatchObject(refused);
  });

  it("refuses to make an answer that of another request, also to the owner", async () => {
    await keep("changed");
    const change = "update private.idempotency_keys set fingerprint = $1 where key = 'changed'";
    await expect(
      tryAsOwner(building, (owner) => owner.query(change, ["another"])),
    ).rejects.toMatchObject(refused);
    await tryAsOwner(building, (owner) => owner.query(change, ["one"]));
  });
});

it("idempotency_keys_of_a_user refuses a key of nobody who has registered", async () => {
  const newcomer = await building.newcomer();
  expect(await newcomer.sqlError(KEEP, ["early", "one", "{}"])).toMatchObject(
    refusedBy("idempotency_keys_of_a_user", "23503"),
  );
});
