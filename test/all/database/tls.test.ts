import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { chmod, chown, mkdtemp, rm, stat } from "node:fs/promises";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { readConfig } from "../../../src/config/config.ts";
import { withClient } from "../../../src/database/client.ts";
import type { EmbeddedPostgres } from "../../../src/embedded/cluster.ts";
import { createDatabase } from "../../../src/embedded/database.ts";
import { startThrowAwayPostgres } from "../../../src/embedded/throw-away.ts";
import { createLogger } from "../../../src/log/logger.ts";
import { runMigrations } from "../../../src/migrations/run.ts";
import { startProgram } from "../../support/program.ts";
import { problemsOf, type Settings } from "../../support/settings.ts";
import { sqlWithoutHouse } from "../../support/sql-without-house.ts";
import { startTestIssuer, type TestIssuer } from "../../support/tokens.ts";
import { until } from "../../support/waiting.ts";

let folder: string;
let postgres: EmbeddedPostgres;
let issuer: TestIssuer;

const openssl = (...args: readonly string[]) =>
  execFileSync("openssl", args, { cwd: folder, stdio: "ignore" });
const KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"];

/** An authority, and another that signed nothing here. */
const makeAuthority = (name: string) =>
  openssl("req", "-x509", ...KEY, "-subj", `/CN=${name}`, "-keyout", `${name}.key`, "-out", name);

/** The server is called localhost, and nothing else. */
async function serveOverTls(): Promise<void> {
  makeAuthority("root.crt");
  makeAuthority("other.crt");
  const signer = ["-CA", "root.crt", "-CAkey", "root.crt.key", "-subj", "/CN=localhost"];
  const names = ["-addext", "subjectAltName=DNS:localhost"];
  openssl("req", "-x509", ...KEY, ...signer, ...names, "-keyout", "server.key", "-out", "server");
  await withClient(postgres.url("postgres", "postgres"), async (client) => {
    const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
    const { uid, gid } = await stat(`/proc/${rows[0]?.pid}`);
    await chown(join(folder, "server.key"), uid, gid);
    await client.query(`alter system set ssl_cert_file = '${folder}/server'`);
    await client.query(`alter system set ssl_key_file = '${folder}/server.key'`);
    await client.query("alter system set ssl = on");
    await client.query("select pg_reload_conf()");
    await until("TLS", async () => (await client.query("show ssl")).rows[0]?.ssl === "on");
  });
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tls-test-"));
  await chmod(folder, 0o755);
  issuer = await startTestIssuer();
  postgres = await startThrowAwayPostgres();
  await createDatabase(postgres, "parking");
  await serveOverTls();
});
afterAll(async () => {
  await postgres.stop();
  await issuer.close();
  await rm(folder, { recursive: true });
});

/** With these parameters; a file is named without its folder. */
function urlOf(parameters: Settings, role = "parking_api", host = "localhost"): string {
  const url = new URL(postgres.url(role, "parking"));
  url.hostname = host;
  url.search = "";
  for (const [name, value] of Object.entries(parameters)) {
    const isFile = name === "sslrootcert" && value !== "system";
    url.searchParams.set(name, isFile ? join(folder, value) : value);
  }
  return url.href;
}

/** Whether a connection with the settings is encrypted, or why there is none. */
const isEncrypted = (settings: Settings): Promise<unknown> =>
  withClient(readConfig(settings).databaseUrl ?? "", async (client) => {
    const sql = "select ssl from pg_stat_ssl where pid = pg_backend_pid()";
    return (await client.query<{ ssl: boolean }>(sql)).rows[0]?.ssl;
  }).catch(({ message }: Error) => message);

const UNKNOWN = expect.stringMatching(/self-signed certificate|unable to verify/);
const OTHER_NAME = expect.stringMatching(/does not match certificate/);

describe("sslmode means what it means to libpq", () => {
  it.each<[Settings, unknown, string?]>([
    [{}, false],
    [{ sslmode: "disable" }, false],
    [{ sslmode: "disable", sslrootcert: "none.crt" }, false],
    [{ sslmode: "require" }, true],
    [{ sslmode: "require", sslrootcert: "root.crt" }, true],
    [{ sslmode: "require", sslrootcert: "root.crt" }, true, "127.0.0.1"],
    [{ sslmode: "require", sslrootcert: "other.crt" }, UNKNOWN],
    [{ sslmode: "verify-ca", sslrootcert: "root.crt" }, true, "127.0.0.1"],
    [{ sslmode: "verify-ca", sslrootcert: "other.crt" }, UNKNOWN],
    [{ sslmode: "verify-full", sslrootcert: "root.crt" }, true],
    [{ sslmode: "verify-full", sslrootcert: "root.crt" }, OTHER_NAME, "127.0.0.1"],
    [{ sslmode: "verify-full", sslrootcert: "other.crt" }, UNKNOWN],
    [{ sslmode: "verify-full" }, UNKNOWN],
    [{ sslrootcert: "system" }, UNKNOWN],
  ])("%j", async (...[parameters, expected, host]) => {
    const DATABASE_URL = urlOf(parameters, "parking_api", host);
    expect(await isEncrypted({ DATABASE_URL })).toEqual(expected);
  });

  it("is taken from PGSSLMODE and PGSSLROOTCERT where the URL has none", async () => {
    const strict = { PGSSLMODE: "verify-full", PGSSLROOTCERT: join(folder, "root.crt") };
    expect(await isEncrypted({ ...strict, DATABASE_URL: urlOf({}) })).toBe(true);
    const DATABASE_URL = urlOf({ sslmode: "disable" });
    expect(await isEncrypted({ ...strict, DATABASE_URL })).toBe(false);
  });

  it("refuses a server without TLS", async () => {
    const server = createServer((socket) => socket.once("data", () => socket.write("N")));
    await once(server.listen(0, "127.0.0.1"), "listening");
    const { port } = server.address() as AddressInfo;
    const DATABASE_URL = `postgres://a:b@127.0.0.1:${port}/c?sslmode=require`;
    expect(await isEncrypted({ DATABASE_URL })).toMatch(/does not support SSL/);
    server.close();
  });

  it.each<[Settings, string]>([
    [{ sslmode: "prefer" }, "sslmode must be one of disable, require, verify-ca, verify-full"],
    [{ sslmode: "verify" }, "sslmode must be one of disable, require, verify-ca, verify-full"],
    [{ sslmode: "verify-ca" }, "sslmode=verify-ca needs sslrootcert"],
    [{ sslrootcert: "root.crt" }, "sslrootcert needs sslmode"],
    [{ sslmode: "require", sslrootcert: "none.crt" }, "sslrootcert: ENOENT: no such file"],
  ])("%j is refused at the start", (parameters, reason) => {
    expect(problemsOf({ DATABASE_URL: urlOf(parameters) })).toEqual([
      expect.stringContaining(`DATABASE_URL: ${reason}`),
    ]);
  });
});

const strict = { sslmode: "verify-full", sslrootcert: "root.crt" };
const home = () => ({
  database: { url: () => postgres.url("parking_api", "parking") },
  service: { issuer },
});

it("over TLS the database is migrated, and the service serves", async () => {
  const { ownerDatabaseUrl = "" } = readConfig({
    OWNER_DATABASE_URL: urlOf(strict, "parking_owner"),
  });
  const sql = await sqlWithoutHouse();
  await withClient(ownerDatabaseUrl, (owner) => owner.query(sql));
  const empty = new URL(ownerDatabaseUrl);
  empty.pathname = "/migrated";
  await createDatabase(postgres, "migrated");
  await runMigrations(empty.href, createLogger("silent"));
  const program = await startProgram(home(), { DATABASE_URL: urlOf(strict), LOG_LEVEL: "warn" });
  expect((await fetch(`${program.origin}/readyz`)).status).toBe(200);
  const { rows } = await withClient(postgres.url("postgres", "parking"), (client) =>
    client.query(
      `select distinct s.ssl
         from pg_stat_activity a
         join pg_stat_ssl s using (pid)
        where a.usename = 'parking_api'`,
    ),
  );
  await program.stop();
  expect(rows).toEqual([{ ssl: true }]);
  // This server is for tests.
  expect(program.log.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({
      message: "the database may lose what it acknowledged",
      reason: "fsync is off, full_page_writes is off, synchronous_commit is off",
    }),
  ]);
});

/** An address of this machine that is not loopback, where it has one. */
const address = Object.values(networkInterfaces())
  .flatMap((all = []) => all)
  .find(({ internal, family }) => !internal && family === "IPv4")?.address;
const itWithNetwork = address === undefined ? it.skip : it;

describe("a connection that is not encrypted", () => {
  const linesOf = async (url: string): Promise<readonly string[]> => {
    const settings = { DATABASE_URL: url, LOG_LEVEL: "warn" };
    const program = await startProgram(home(), settings);
    await program.stop();
    return program.log.filter((line) => line.includes("is not encrypted"));
  };

  itWithNetwork("has one line at the start, unless somebody decided it", async () => {
    const sockets = new Set<Socket>();
    const relay = createServer((client) => {
      const server = connect(postgres.port, "127.0.0.1");
      for (const socket of [client, server]) sockets.add(socket.on("error", () => {}));
      client.pipe(server).pipe(client);
    });
    await new Promise<void>((listening) => relay.listen(0, address, listening));
    const url = new URL(urlOf({}, "parking_api", address));
    url.port = String((relay.address() as AddressInfo).port);

    const lines = await linesOf(url.href);
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({ level: "warn", host: address });
    expect(await linesOf(`${url.href}?sslmode=disable`)).toEqual([]);
    expect(await linesOf(`${url.href}?sslmode=require`)).toEqual([]);
    relay.close();
    for (const socket of sockets) socket.destroy();
  });

  it("has none on this machine", async () => {
    expect(await linesOf(urlOf({}))).toEqual([]);
  });
});
