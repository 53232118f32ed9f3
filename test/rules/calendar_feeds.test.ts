import { describe, expect, it } from "@jest/globals";
import type { ClientBase } from "pg";
import { useArena } from "../support/arena.ts";
import { holding } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { claimsOf, setClaims, withTransactionOf } from "../support/sql.ts";
import { behind } from "../support/waiting.ts";
import { refusedBy } from "./support.ts";

const building = useArena(3);
const person = building.shared("resident");

const CREATE =
  "select url, language, created_at from api.create_calendar_feed('https://a/api', $1)";
/** As the service asks, which charges the owner. */
const ENTER = `select f.language, private.caller_id() as owner
  from private.enter_calendar_feed(sha256(convert_to($1, 'UTF8'))) as f (language)`;

const create = async (who = person, language = "en"): Promise<string> => {
  const { rows } = await who.sql<{ url: string }>(CREATE, [language]);
  return rows[0]?.url.split("sig=")[1] ?? "";
};
const feedOf = ({ id }: Person) =>
  building.rows<{ language: string; hash: string }>(
    "select language, encode(secret_hash, 'hex') as hash from parking.calendar_feeds where person_id = $1",
    [id],
  );

/** What is read by a secret, in a transaction of the API role without a caller. */
const byFeed = <T>(
  secret: string,
  use: (client: ClientBase, language: unknown, owner: unknown) => Promise<T>,
) =>
  withTransactionOf(building.direct, async (client) => {
    const { rows } = await client.query(ENTER, [secret]);
    return use(client, rows[0]?.language, rows[0]?.owner);
  });

describe("a calendar feed", () => {
  it("has a secret of 43 characters, of which only the hash is kept", async () => {
    const secrets = new Set([await create(), await create()]);
    expect(secrets.size).toBe(2);
    for (const secret of secrets) expect(secret).toMatch(/^[\w-]{43}$/);
    const [row] = await building.rows<{ text: string }>(
      "select string_agg(to_jsonb(f)::text, ' ') as text from parking.calendar_feeds f",
    );
    for (const secret of secrets) expect(row?.text).not.toContain(secret);
  });

  it("makes its owner the caller, who only reads", async () => {
    const { owner, claimer, claim } = await holding(building);
    for (const who of [owner, claimer]) {
      const secret = await create(who);
      const seen = await byFeed(secret, async (client, _, found) => {
        expect(found).toBe(who.id);
        const { rows } = await client.query("select id from api.get_calendar()");
        await expect(
          client.query("update parking.claims set status = 'cancelled'"),
        ).rejects.toMatchObject({ code: "25006" });
        return rows;
      });
      expect(seen).toEqual([{ id: claim.id }]);
    }
  });

  it("makes nobody the caller where there is no such secret", async () => {
    const seen = await withTransactionOf(building.direct, async (client) => {
      await setClaims(client, claimsOf(person));
      const { rows } = await client.query(ENTER, ["unknown"]);
      expect(rows).toEqual([{ language: null, owner: null }]);
      return (await client.query("select private.caller_id() as caller")).rows;
    });
    expect(seen).toEqual([{ caller: null }]);
  });

  it("is not made by somebody who is being suspended", async () => {
    const who = await building.resident();
    const suspending = "update parking.profiles set is_approved = false where id = $1";
    const administrator = await building.administrator();
    const refused = await behind(building, administrator, [suspending, [who.id]], () =>
      who.sqlError(CREATE, ["en"]),
    );
    expect(refused).toMatchObject(refusedBy("approved_account_required", "42501"));
    expect(await feedOf(who)).toEqual([]);
  });

  it("ends with an erasure that waited for it to be made", async () => {
    const who = await building.resident();
    await behind(building, who, [CREATE, ["en"]], () =>
      building.rows("select private.erase_person($1)", [who.id]),
    );
    expect(await feedOf(who)).toEqual([]);
  });

  it("is one where two are made at once: the later one", async () => {
    const who = await building.resident();
    const secret = await behind(building, who, [CREATE, ["en"]], () => create(who, "de"));
    expect(await byFeed(secret, async (_, language) => language)).toBe("de");
  });

  it("is changed and ended by its owner alone", async () => {
    await create();
    const other = await building.resident();
    for (const statement of [
      "update parking.calendar_feeds set language = 'de'",
      "delete from parking.calendar_feeds",
    ])
      expect(await other.sql(statement)).toMatchObject({ rowCount: 0 });
  });
});
