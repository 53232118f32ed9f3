import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
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
const urlOf = (role: string) => new URL(postgres.url(role, EMBEDDED_DATABASE));

const userOf = (url: URL): Promise<string> =>
  withClient(url.href, async (client) => {
    return (
      (await client.query<{ name: string }>("select session_user as name")).rows[0]?.name ?? ""
    );
  });

describe.each(roles)("the URL of %s", (role) => {
  it("lets that role in", async () => {
    expect(await userOf(urlOf(role))).toBe(role);
  });

  it.each(roles.filter((other) => other !== role))("does not let %s in", async (other) => {
    const url = urlOf(role);
    url.username = other;

    await expect(userOf(url)).rejects.toMatchObject({ code: "28P01" });
  });
});
