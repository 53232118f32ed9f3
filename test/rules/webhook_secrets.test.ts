import { beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { useBuilding } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { notGranted, refusedBy } from "./support.ts";

const building = useBuilding();
let administrator: Person;
beforeAll(async () => {
  administrator = await building.administrator();
});

let id = "";
beforeEach(async () => {
  const { rows } = await administrator.sql<{ id: string }>(
    `insert into parking.webhooks (url, types)
     values ('https://example.org', '{claim.submitted}')
     returning id`,
  );
  id = rows[0]?.id ?? "";
});

const give = async (): Promise<string> => {
  const sql = "select private.give_webhook_secret($1) as secret";
  return (await administrator.sql<{ secret: string }>(sql, [id])).rows[0]?.secret ?? "";
};
/** What signs, as the service reads it. */
const signing = async () =>
  (
    await building.service.pool.query<{ secrets: readonly string[] }>(
      "select secrets from private.get_delivery($1, null)",
      [id],
    )
  ).rows[0]?.secrets;

describe("webhook_secrets_are_random", () => {
  it("takes 32 bytes in base64 alone", async () => {
    expect(await give()).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const sql = "insert into private.webhook_secrets (webhook_id, secret) values ($1, $2)";
    for (const secret of ["", "whsec_", "whsec_dGVzdA==", "x"])
      await expect(building.rows(sql, [id, secret])).rejects.toMatchObject(
        refusedBy("webhook_secrets_are_random"),
      );
  });
});

describe("webhook_secrets_of_a_webhook", () => {
  it("refuses a secret of none", async () => {
    await building.rows("delete from parking.webhooks where id = $1", [id]);
    await expect(give()).rejects.toMatchObject(refusedBy("webhook_secrets_of_a_webhook", "23503"));
  });

  it("lets them go with it", async () => {
    await give();
    await building.rows("delete from parking.webhooks where id = $1", [id]);
    expect(
      await building.rows("select from private.webhook_secrets where webhook_id = $1", [id]),
    ).toEqual([]);
  });
});

describe("secrets", () => {
  it("sign for a day after they were replaced, the last of them only", async () => {
    const [first, second] = [await give(), await give()];
    expect(await signing()).toEqual([second, first]);
    const third = await give();
    expect(await signing()).toEqual([third, second]);
    await building.rows(
      "update private.webhook_secrets set expires_at = now() - interval '1 s' where expires_at is not null",
    );
    expect(await signing()).toEqual([third]);
  });

  it("are read by nobody", async () => {
    await give();
    expect(
      await administrator.sqlError("select secret from private.webhook_secrets"),
    ).toMatchObject(notGranted);
  });
});
