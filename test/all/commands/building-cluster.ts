/** A server with an administrator who is no superuser, for `npm run building`. */
import { withClient } from "../../../src/database/client.ts";
import { startThrowAwayPostgres } from "../../../src/embedded/throw-away.ts";
import { type Running, start } from "./run.ts";

export interface BuildingCluster {
  readonly clusterUrl: string;
  /** The URL of the superuser. */
  superuserUrl(database: string): string;
  asSuperuser(database: string, sql: string): Promise<readonly Record<string, unknown>[]>;
  /** Runs `npm run building -- …`, of another checkout where its folder is given. */
  run(args: readonly string[], folder?: string): Running;
  stop(): Promise<void>;
}

export async function startCluster(): Promise<BuildingCluster> {
  const postgres = await startThrowAwayPostgres();
  const superuserUrl = (database: string) => postgres.url("postgres", database);
  const asSuperuser: BuildingCluster["asSuperuser"] = (database, sql) =>
    withClient(superuserUrl(database), async (client) => (await client.query(sql)).rows);

  const clusterUrl = postgres.url("cloudadmin", "postgres");
  const { password } = new URL(clusterUrl);
  await asSuperuser(
    "postgres",
    `create role cloudadmin login createdb createrole password '${password}'`,
  );
  return {
    clusterUrl,
    superuserUrl,
    asSuperuser,
    run: (args, folder) =>
      start("commands/building", args, { CLUSTER_DATABASE_URL: clusterUrl }, folder),
    stop: () => postgres.stop(),
  };
}
