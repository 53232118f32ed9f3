import { setImmediate as turn } from "node:timers/promises";
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  jest,
} from "@jest/globals";
import { Pool, type PoolClient } from "pg";
import { createPool } from "../../src/database/pool.ts";
import { callAs } from "../../src/database/transaction.ts";
import { createLogger } from "../../src/log/logger.ts";
import type { Notice } from "../../src/log/slow-statements.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { until } from "../support/waiting.ts";

const MOST_TOGETHER = 8;
/** The connections are those of the superuser, who may wait for locks without a time-out. */
const GATE = 4711;

let database: TestDatabase;
let superuser: Pool;
let pool: Pool;
let noticed: { name: string; milliseconds: number }[];
beforeAll(async () => {
  database = await cloneDatabase();
  superuser = new Pool({ connectionString: database.url("postgres"), max: 2 });
  superuser.on("error", () => {});
});
beforeEach(() => startPool());
afterEach(async () => {
  await until("nothing keeps a connection", () => pool.idleCount === pool.totalCount);
  await pool.end();
});
afterAll(async () => {
  await superuser.end();
  await database.drop();
});

function startPool(options = {}): void {
  noticed = [];
  const notice: Notice = ([statement], startedAt) => {
    const milliseconds = performance.now() - startedAt;
    noticed.push({ name: statement?.name ?? "", milliseconds });
  };
  pool = createPool(database.url("postgres"), createLogger("silent"), {
    notice,
    // On a busy machine what is asked at once may take more than the usual second.
    connectionTimeoutMillis: 20_000,
    ...options,
  });
}

/** A short read, whose text is its name too. */
async function read(text: string, isGone?: () => boolean): Promise<string | null | undefined> {
  const step = { name: text.slice(-60), text, values: [], isShort: true };
  const call = { kind: "read", steps: [step], row: "1", isGone } as const;
  const [rows] = await callAs(pool, '{"sub":"somebody"}', call);
  return rows?.[0]?.[0];
}
const reads = (count: number, text = "select pg_backend_pid()") =>
  Array.from({ length: count }, () => read(text));

/** A read that waits at the gate. */
const WAIT = `select 'through' from pg_advisory_xact_lock_shared(${GATE})`;

/** Keeps the gate closed meanwhile. */
async function whileClosed(use: (open: () => Promise<unknown>) => Promise<void>): Promise<void> {
  const client = await superuser.connect();
  const open = () => client.query("select pg_advisory_unlock_all()");
  try {
    await client.query("select pg_advisory_lock($1)", [GATE]);
    await use(open);
  } finally {
    await open();
    client.release();
  }
}

const waitingAtTheGate = async (): Promise<number> => {
  const { rows } = await superuser.query<{ pid: number }>(
    "select pid from pg_stat_activity where datname = current_database() and wait_event = 'advisory'",
  );
  return rows.length;
};

describe("reads that are ready together", () => {
  it("share one connection, up to eight of them", async () => {
    // Fewer share one where reads take long, as on a busy machine.
    const clock = jest.spyOn(performance, "now").mockReturnValue(performance.now());
    await read("select 1"); // a connection is there
    expect(new Set(await Promise.all(reads(MOST_TOGETHER))).size).toBe(1);
    expect(pool.totalCount).toBe(1);
    clock.mockRestore();
  });

  it("go down it in one write", async () => {
    const client = await pool.connect();
    const { stream } = client.connection;
    const write = jest.spyOn(stream, "write");
    const uncork = jest.spyOn(stream, "uncork");
    client.release();
    await Promise.all(reads(3));
    expect(write).toHaveBeenCalledTimes(3);
    expect(uncork).toHaveBeenCalledTimes(1);
    const [sent = 0] = uncork.mock.invocationCallOrder;
    expect(Math.max(...write.mock.invocationCallOrder)).toBeLessThan(sent);
  });

  it("leave connections to others, however many they are", async () => {
    await pool.end();
    startPool({ max: 30 });
    const pids = await Promise.all(reads(250));
    expect(pids.every((pid) => pid !== null)).toBe(true);
    // Three, and one more for each that was slow for a moment.
    expect(pool.totalCount).toBeLessThan(30);
  });

  it("have each an error of its own", async () => {
    await read("select 1");
    const results = await Promise.allSettled([
      read("select 1"),
      read("select 1/0"),
      read("select 2"),
    ]);
    expect(results).toMatchObject([
      { status: "fulfilled", value: "1" },
      { status: "rejected", reason: { code: "22012" } },
      { status: "fulfilled", value: "2" },
    ]);
  });

  it("have each a transaction of its own, which cannot write", async () => {
    await read("select 1");
    const starts = await Promise.all(reads(5, "select extract(epoch from now())"));
    expect(new Set(starts).size).toBe(5);
    await expect(read("create table lab ()")).rejects.toMatchObject({ code: "25006" });
  });

  it("work without prepared statements", async () => {
    await pool.end();
    startPool({ preparedStatements: false });
    expect(new Set(await Promise.all(reads(MOST_TOGETHER))).size).toBeLessThan(MOST_TOGETHER);
  });
});

describe("a read that takes long", () => {
  it("has a connection alone, where others lately took long too", async () => {
    await read("select pg_sleep(0.4)");
    const pids = await Promise.all(reads(3, "select pg_backend_pid() from pg_sleep(0.1)"));
    expect(new Set(pids).size).toBe(3);
  });

  it("goes on alone, so that those behind it wait no longer", async () => {
    await Promise.all(reads(50));
    await whileClosed(async (open) => {
      const together = [read(WAIT), ...reads(200)];
      const [slow, ...others] = together;
      await Promise.all(others);
      await until("it waits", async () => (await waitingAtTheGate()) === 1);
      await open();
      expect(await slow).toBe("through");
    });
  });

  it("is the one that is named as slow, and not those behind it", async () => {
    await read("select 1");
    await whileClosed(async (open) => {
      const together = [read(WAIT), ...reads(3, "select 'behind'")];
      await until("it waits", async () => (await waitingAtTheGate()) === 1);
      await superuser.query("select pg_sleep(0.5)");
      await open();
      await Promise.all(together);
    });
    const [slowest] = noticed.toSorted((a, b) => b.milliseconds - a.milliseconds);
    expect(slowest?.name).toBe(WAIT.slice(-60));
    const behind = noticed.filter(({ name }) => name === "select 'behind'");
    expect(behind).toHaveLength(3);
    for (const { milliseconds } of behind) expect(milliseconds).toBeLessThan(500);
  });
});

describe("a read that has to wait", () => {
  /** All connections are in use. */
  async function whileFull(use: (free: () => void) => Promise<void>): Promise<void> {
    const { max } = pool.options;
    const clients = await Promise.all(Array.from({ length: max }, () => pool.connect()));
    const free = () => {
      for (const client of clients.splice(0)) client.release();
    };
    await use(free).finally(free);
  }

  it("gets its place when one is free", async () => {
    await whileFull(async (free) => {
      const next = read("select 'next'");
      await until("it waits", () => pool.waitingCount === 1);
      free();
      expect(await next).toBe("next");
    });
  });

  it("is refused once it has waited too long", async () => {
    await pool.end();
    startPool({ connectionTimeoutMillis: 2_000 });
    await whileFull(() => expect(read("select 1")).rejects.toThrow());
  });

  it("is refused at once where three hundred wait behind those whose turn it is", async () => {
    await whileFull(async (free) => {
      const begun = reads(3 * MOST_TOGETHER, "select 'late'");
      await turn();
      const waiting = [...begun, ...reads(300, "select 'late'")];
      await expect(read("select 1")).rejects.toMatchObject({ status: 503 });
      free();
      expect(new Set(await Promise.all(waiting))).toEqual(new Set(["late"]));
    });
  });

  it("goes down a connection that is open where no other can be opened", async () => {
    await read("select 1");
    const slow = read("select pg_sleep(0.2)");
    await until("it has the only connection", () => pool.idleCount === 0);
    const connect = jest.spyOn(pool, "connect").mockImplementation(() => {
      if (pool.idleCount === 0) return Promise.reject(new Error("too many connections"));
      connect.mockRestore();
      return pool.connect();
    });
    expect(new Set(await Promise.all(reads(20, "select 'served'")))).toEqual(new Set(["served"]));
    await slow;
  });

  it("goes down the one that is idle by the time that another is refused", async () => {
    await read("select 1");
    const slow = read("select pg_sleep(0.2)");
    await until("it has the only connection", () => pool.idleCount === 0);
    const connect = jest.spyOn(pool, "connect").mockImplementationOnce(async () => {
      await until("the only connection is idle", () => pool.idleCount === 1);
      throw new Error("too many connections");
    });
    expect(await read("select 'served'")).toBe("served");
    connect.mockRestore();
    await slow;
  });

  it("costs no connection where its client has left", async () => {
    const before = await read("select pg_backend_pid()");
    await expect(read("select 1", () => true)).rejects.toMatchObject({ code: "client_left" });
    expect(await read("select pg_backend_pid()")).toBe(before);
  });

  it("is not run where its client has left", async () => {
    await whileFull(async (free) => {
      let isGone = false;
      const left = read("select nobody_reads_this()", () => isGone);
      isGone = true;
      free();
      await expect(left).rejects.toMatchObject({ code: "client_left" });
    });
  });
});

describe("a shared connection that breaks", () => {
  it("fails the reads on it, and is not used again", async () => {
    await whileClosed(async () => {
      let areBroken = false;
      const broken = Promise.allSettled(reads(3, WAIT)).finally(() => {
        areBroken = true;
      });
      const kill = () =>
        superuser.query(
          "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event = 'advisory'",
        );
      while (!areBroken) await kill();
      for (const { status } of await broken) expect(status).toBe("rejected");
      expect(await read("select 'served'")).toBe("served");
    });
  });

  it("fails those that wait for a first one with its error", async () => {
    await pool.end();
    const url = new URL(database.url("parking_api"));
    url.password = "wrong";
    pool = createPool(url.href, createLogger("silent"));
    const results = await Promise.allSettled(reads(20));
    expect(new Set(results.map(({ status }) => status))).toEqual(new Set(["rejected"]));
  });

  it("forgets what a connection had, and reads again", async () => {
    await Promise.all(reads(3, "select 'again'"));
    const client: PoolClient = await pool.connect();
    await client.query("deallocate all");
    client.release();
    expect(await Promise.all(reads(3, "select 'again'"))).toEqual(["again", "again", "again"]);
  });
});
