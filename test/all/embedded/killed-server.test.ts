import { describe, expect, it } from "@jest/globals";
import { findRunningPostgres } from "../../../src/embedded/cluster.ts";
import { until } from "../../support/waiting.ts";
import { start } from "./clusters.ts";
import { accepts, postmasterOf, query, superuser } from "./server.ts";
import { answerIn, usedFolder, useUsedFolder } from "./used-folder.ts";

useUsedFolder();

describe("a server that is killed", () => {
  it("is started again at the same address, and again", async () => {
    const dataDir = usedFolder();
    const cluster = await start(dataDir);
    for (let kills = 0; kills < 2; kills += 1) {
      const killed = await postmasterOf(dataDir);
      process.kill(killed, "SIGKILL");
      await until(
        "another server",
        async () => (await postmasterOf(dataDir).catch(() => killed)) !== killed,
      );
      await until("connections", () => accepts(superuser(cluster)));
    }
    expect(await answerIn(superuser(cluster))).toEqual([[42]]);
    expect((await findRunningPostgres(dataDir))?.port).toBe(cluster.port);
  });

  it("is started again once its last backend is gone", async () => {
    const dataDir = usedFolder();
    const url = superuser(await start(dataDir));
    const busy = query(url, "set statement_timeout = 4000; do 'begin loop end loop; end'");
    const cutOff = expect(busy).rejects.toThrow();
    const busyBackends = "select from pg_stat_activity where query like '%loop' || ' end%'";
    await until("a busy backend", async () => (await query(url, busyBackends)).length > 0);
    process.kill(await postmasterOf(dataDir), "SIGKILL");
    await cutOff;
    await until("connections", () => accepts(url));
    expect(await answerIn(url)).toEqual([[42]]);
  });

  it("stays stopped if the cluster is stopped meanwhile, and leaves the folder free", async () => {
    const dataDir = usedFolder();
    const cluster = await start(dataDir);
    process.kill(await postmasterOf(dataDir), "SIGKILL");
    await cluster.stop();
    expect(await accepts(superuser(cluster))).toBe(false);
    expect(await findRunningPostgres(dataDir)).toBeUndefined();
    expect(await answerIn(superuser(await start(dataDir)))).toEqual([[42]]);
  });
});
