import { describe, expect, it } from "@jest/globals";
import { useBuilding } from "../support/building.ts";
import { tryAsOwner } from "./support.ts";

const building = useBuilding();
describe("the key of mails", () => {
  it("takes a new key, with which those of older mails are not valid any more", async () => {
    const { id } = await building.resident();
    const keyOf = async () =>
      (await building.rows("select private.unsubscribe_key($1) as key", [id]))[0];
    const before = await keyOf();
    await building.rows("update private.mail_key set key = sha256(uuid_send(gen_random_uuid()))");
    expect(await keyOf()).not.toEqual(before);
  });

  it("lets nobody end mails where there is none, as after a restore without it", async () => {
    const { id } = await building.resident();
    await tryAsOwner(building, async (owner) => {
      const { rows: made } = await owner.query("select private.unsubscribe_key($1) as key", [id]);
      await owner.query("delete from private.mail_key");
      const { rows } = await owner.query("select private.unsubscribe($1) as ended", [made[0].key]);
      expect(rows).toEqual([{ ended: false }]);
    });
  });
});

describe("private.unsubscribe", () => {
  it("writes nothing where the mails have ended", async () => {
    const { id } = await building.resident();
    await tryAsOwner(building, async (owner) => {
      const end = async () => {
        await owner.query("select private.unsubscribe(private.unsubscribe_key($1))", [id]);
        const sql = "select ctid, xmin, xmax, mail from parking.preferences where person_id = $1";
        return (await owner.query(sql, [id])).rows;
      };
      const ended = await end();
      expect(ended).toMatchObject([{ mail: [] }]);
      expect(await end()).toEqual(ended);
    });
  });

  it("ends mails that were chosen again", async () => {
    const { id } = await building.resident();
    await tryAsOwner(building, async (owner) => {
      const end = "select private.unsubscribe(private.unsubscribe_key($1))";
      await owner.query(end, [id]);
      await owner.query("update parking.preferences set mail = null where person_id = $1", [id]);
      await owner.query(end, [id]);
      const sql = "select mail from parking.preferences where person_id = $1";
      expect((await owner.query(sql, [id])).rows).toEqual([{ mail: [] }]);
    });
  });
});
