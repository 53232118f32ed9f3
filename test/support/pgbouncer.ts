import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./free-port.ts";
import { pathTo } from "./installed.ts";

/** A PgBouncer in transaction mode in front of a server. */
export interface PgBouncer extends AsyncDisposable {
  readonly port: number;
  /** As `systemctl reload` after its file names another server. */
  leadTo(serverPort: number): Promise<void>;
}

/** The program, where the machine has one. */
export const findPgBouncer = (): string | undefined => pathTo("pgbouncer");

/** Since 1.21 it can keep named statements. */
export function keepsStatements(program: string): boolean {
  const [, minor = "0"] =
    /PgBouncer 1\.(\d+)/.exec(String(execFileSync(program, ["--version"]))) ?? [];
  return Number(minor) >= 21;
}

export interface PgBouncerOptions {
  readonly program: string;
  readonly serverPort: number;
  /** The roles that log in, to PgBouncer and to PostgreSQL. */
  readonly passwords: Readonly<Record<string, string>>;
  /** For each database. */
  readonly connections: number;
}

export async function startPgBouncer(options: PgBouncerOptions): Promise<PgBouncer> {
  const { program, serverPort, passwords, connections } = options;
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), "pgbouncer-"));
  const file = join(folder, "pgbouncer.ini");
  const users = Object.entries(passwords).map(([name, password]) => `"${name}" "${password}"`);
  await writeFile(join(folder, "users.txt"), users.join("\n"));
  const settings = {
    listen_addr: "127.0.0.1",
    listen_port: port,
    unix_socket_dir: "",
    auth_type: "scram-sha-256",
    auth_file: join(folder, "users.txt"),
    pool_mode: "transaction",
    default_pool_size: connections,
    max_client_conn: 2_000,
    // A database of a test is dropped soon after its last question.
    server_idle_timeout: 1,
    // It waits so many seconds after a connection that the server refused; 15 by default.
    server_login_retry: 1,
    ...(keepsStatements(program) && { max_prepared_statements: 200 }),
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  const write = (toPort: number) => {
    const databases = `* = host=127.0.0.1 port=${toPort}`;
    return writeFile(file, ["[databases]", databases, "[pgbouncer]", ...lines].join("\n"));
  };
  await write(serverPort);
  await chmod(folder, 0o755);
  // It refuses to run as root.
  const account = process.getuid?.() === 0 ? ["-u", "nobody"] : [];
  const child = spawn(program, [...account, file], { stdio: "ignore" });
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  return {
    port,
    leadTo: async (toPort) => {
      await write(toPort);
      child.kill("SIGHUP");
    },
    [Symbol.asyncDispose]: async () => {
      const exited = once(child, "exit");
      child.kill("SIGTERM");
      await exited;
      process.off("exit", kill);
      await rm(folder, { recursive: true });
    },
  };
}
