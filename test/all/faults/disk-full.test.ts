import { execFileSync } from "node:child_process";
import { rename, symlink } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect } from "@jest/globals";
import { withClient } from "../../../src/database/client.ts";
import type { Program } from "../../support/program.ts";
import { served } from "../../support/served.ts";
import { canMount, itWithDisk, mountSmallDisk, type SmallDisk } from "../../support/small-disk.ts";
import { expectUnavailable } from "../../support/unavailable.ts";
import { until } from "../../support/waiting.ts";
import { type OwnBuilding, openOwnBuilding, type Resident } from "./own-building.ts";

let building: OwnBuilding;
let tables: SmallDisk;
let writeAheadLog: SmallDisk;
let program: Program;
let ann: Resident;
beforeAll(async () => {
  if (!canMount) return;
  building = await openOwnBuilding({ min_wal_size: "32MB" });
  tables = await mountSmallDisk(60, building.postgres.folder);
  writeAheadLog = await mountSmallDisk(60, building.postgres.folder);
  const elsewhere = building.postgres.url("postgres").replace("/parking", "/postgres");
  await withClient(elsewhere, async (client) => {
    await client.query(`create tablespace small location '${tables.folder}'`);
    await client.query("alter database parking set tablespace small");
    // The log is to fit on the small disk. An argument of PostgreSQL could not be altered later.
    await client.query("alter system set max_wal_size = '32MB'");
  });
  program = await building.start();
  ann = await building.resident(program);
});
afterAll(async () => {
  if (!canMount) return;
  await program.stop();
  await building.close();
  await Promise.all([tables.unmount(), writeAheadLog.unmount()]);
});

const status = async (path: string) => (await fetch(`${program.origin}${path}`)).status;
const read = () => program.ask(ann, "GET", "/parking-spots");
const acknowledged = new Set<string>();
/** Whether a spot was registered; the only other answer is 503. */
async function registers(): Promise<boolean> {
  const spot_number = `D-${Math.random()}`;
  const body = { spot_number, building_section: "North" };
  const answer = await program.ask(ann, "POST", "/parking-spots", body);
  if (answer.status === 201) acknowledged.add(spot_number);
  else expectUnavailable(answer);
  return answer.status === 201;
}
const registersAgain = () => until("a registered spot", registers);
async function expectAllKept(): Promise<void> {
  const rows = await building.postgres.rows("select spot_number from parking.spots");
  const kept = new Set(rows.map(({ spot_number }) => spot_number));
  expect([...acknowledged].filter((spot) => !kept.has(spot))).toEqual([]);
}

describe("a disk that is full", () => {
  itWithDisk(
    "of the tables, refuses writes with 503 and not reads, until there is room",
    async () => {
      tables.fill();
      const isFull = () =>
        program.log.some((line) => /53100 could not extend file .*: No space left/.test(line));
      await until("a write without room", async () => !(await registers()) && isFull());
      expect((await served(read)).status).toBe(200);
      expect((await served(() => fetch(`${program.origin}/readyz`))).status).toBe(200);
      tables.free();
      await registersAgain();
      await expectAllKept();
    },
  );

  itWithDisk(
    "of the write-ahead log, ends PostgreSQL, which has every acknowledged write once there is room",
    async () => {
      const { postgres } = building;
      await postgres.stop();
      const folder = join(postgres.folder, "pg_wal");
      execFileSync("cp", ["-a", folder, writeAheadLog.folder]);
      await rename(folder, `${folder}-before`);
      await symlink(join(writeAheadLog.folder, "pg_wal"), folder);
      await postgres.start();
      await registersAgain();

      // A checkpoint makes room: it lets files of the log be used again. None may come in between, but
      // for that of a recovery, after which PostgreSQL could go on like this for ever.
      await postgres.rows("alter system set wal_recycle = off");
      await postgres.rows("alter system set max_wal_size = '1GB'");
      await postgres.rows("alter system set checkpoint_timeout = '1h'");
      await postgres.rows("select pg_reload_conf()");
      // Each goes to another file of the log, until there is no room for one. That is a PANIC of
      // whichever process needs it; the others hear that they are ended. PostgreSQL tries to recover
      // first. Where that succeeds it gives files back: their room goes too.
      const hasEnded = postgres.ended().then(() => true);
      const isOver = async () =>
        (await Promise.race([hasEnded, false])) ||
        /FATAL: +could not write to file "pg_wal.*No space left/.test(await postgres.log());
      while (!(await isOver())) {
        writeAheadLog.fill();
        await postgres.rows("select pg_switch_wal()").catch(() => {});
        await registers();
      }
      // It ends by itself, but for a race of its own (18.4, one of some 30 on a busy machine): then it
      // refuses everybody, and waits for ever for a recovery that is over.
      await postgres.stop();
      expectUnavailable(await read());
      expect([await status("/readyz"), await status("/livez")]).toEqual([503, 200]);

      writeAheadLog.free();
      await postgres.start();
      await registersAgain();
      await expectAllKept();
    },
  );
});
