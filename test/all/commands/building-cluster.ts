/** A server with an administrator who is no superuser, for `npm run building`. */
import { type ChildProcess, type ExecFileException, execFile } from "node:child_process";
import { withClient } from "../../../src/database/client.ts";
import { startThrowAwayPostgres } from "../../../src/embedded/throw-away.ts";
import { projectFolder } from "../../../src/project-folder.ts";
import { environment } from "../../support/environment.ts";

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface BuildingCluster {
  readonly clusterUrl: string;
  /** The URL of the superuser. */
  superuserUrl(database: string): string;
  asSuperuser(database: string, sql: string): Promise<readonly Record<string, unknown>[]>;
  /** Runs `npm run building -- …`, of another checkout where its folder is given. */
  run(args: readonly string[], folder?: string): Running;
  stop(): Promise<void>;
}

export interface Running {
  readonly process: ChildProcess;
  readonly ended: Promise<Outcome>;
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
    run: (args, folder = projectFolder) => run(clusterUrl, args, folder),
    stop: () => postgres.stop(),
  };
}

function run(clusterUrl: string, args: readonly string[], cwd: string): Running {
  const { promise: ended, resolve } = Promise.withResolvers<Outcome>();
  const done = (error: ExecFileException | null, stdout: string, stderr: string) =>
    resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
  const env = { ...environment, CLUSTER_DATABASE_URL: clusterUrl };
  const options = { cwd, env };
  const command = ["src/commands/building.ts", ...args];
  return { process: execFile(process.execPath, command, options, done), ended };
}
