import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { withClient } from "../../../src/database/client.ts";
import type { EmbeddedPostgres } from "../../../src/embedded/cluster.ts";
import { createDatabase, EMBEDDED_DATABASE } from "../../../src/embedded/database.ts";
import { startThrowAwayPostgres } from "../../../src/embedded/throw-away.ts";

let postgres: EmbeddedPostgres;
beforeAll(async () => {
  postgres = await startThrowAwayPostgres();
  await createDatabase(postgres, EMBEDDED_DATABASE);
});
afterAll(() => postgres.stop());

const roles = ["postgres", "parking_owner", "parking_api", "parking_reporter", "parking_analyst"];

it.each(roles)("the URL of %s lets in that role and no other", async (role) => {
  const url = new URL(postgres.url(role, EMBEDDED_DATABASE));
  for (const user of roles) {
    url.username = user;
    const asked = withClient(url.href, (client) => client.query("select session_user as user"));
    if (user === role) expect((await asked).rows).toEqual([{ user }]);
    else await expect(asked).rejects.toMatchObject({ code: "28P01" });
  }
});
