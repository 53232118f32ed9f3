import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "@jest/globals";
import { Pool } from "pg";
import { limitersOf } from "../../src/database/connection.ts";
import { Limiter, type LimiterOptions } from "../../src/database/limiter.ts";

const options = {
  name: "tests",
  patienceMs: 60_000,
  reasons: ["full", "late"],
} as const satisfies LimiterOptions;

const aFew: LimiterOptions = {
  ...options,
  ofOne: { running: 2, waiting: 3 },
  ofAll: { running: 3, waiting: 4 },
};

/** A limiter of work that notes when it begins and ends on a signal. */
function workbench(overrides: Partial<LimiterOptions> = {}) {
  const limiter = new Limiter({ ...aFew, ...overrides });
  const begun: string[] = [];
  const add = (key: string, left = new AbortController()) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const work = async () => {
      begun.push(key);
      await promise;
    };
    const outcome = limiter.run(work, key, left.signal).then(
      () => "done",
      (error: Error) => String(error.cause ?? error.message),
    );
    return {
      outcome,
      leave: () => left.abort(),
      end: async () => {
        resolve();
        await outcome;
      },
    };
  };
  return { limiter, begun, add };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe("a limiter", () => {
  it("runs a few at once, and the next when one ends", async () => {
    const { begun, add } = workbench();
    const first = add("a");
    for (const key of ["b", "c", "d"]) add(key);
    expect(begun).toEqual(["a", "b", "c"]);

    await first.end();
    await settle();
    expect(begun).toEqual(["a", "b", "c", "d"]);
  });

  it("leaves room for others when one asks for everything", async () => {
    const { begun, add } = workbench();
    for (let i = 0; i < 4; i++) add("a");
    add("b");

    expect(begun).toEqual(["a", "a", "b"]);
  });

  it("gives a place to the first for whom there is room, not to the first of all", async () => {
    const { begun, add } = workbench();
    const [, , , third] = ["a", "a", "a", "b"].map((key) => add(key));
    add("c");
    await third?.end();
    await settle();

    expect(begun).toEqual(["a", "a", "b", "c"]);
  });

  it("refuses at once what is more than it holds, of one and of all", async () => {
    const { limiter, add } = workbench();
    const ofOne = Array.from({ length: 6 }, () => add("a"));
    expect(await ofOne[5]?.outcome).toBe("full");
    expect(limiter.overload("a")).toBe("full");
    expect(limiter.overload("b")).toBeUndefined();

    for (const key of ["b", "c"]) add(key); // one runs, one waits: that is all
    expect(await add("d").outcome).toBe("full");
    expect(limiter.overload("b")).toBe("full");
  });

  it("does not let those with another key wait where it limits by key only", async () => {
    const { begun, add } = workbench({ ofAll: undefined, ofOne: { running: 1, waiting: 1 } });
    for (const key of ["a", "a", "b", "b", "c"]) add(key);

    expect(begun).toEqual(["a", "b", "c"]);
  });

  it("does not begin what its client has left", async () => {
    const { begun, add } = workbench({ ofAll: { running: 1, waiting: 4 } });
    const first = add("a");
    const second = add("b");
    add("c");
    second.leave();
    expect(await second.outcome).toBe("The client has left");

    await first.end();
    await settle();
    expect(begun).toEqual(["a", "c"]);
  });

  it("gives up on what waits too long, and counts it no more", async () => {
    const { begun, add } = workbench({
      name: "impatient",
      ofAll: { running: 1, waiting: 1 },
      patienceMs: 1,
    });
    add("a");
    expect(await add("b").outcome).toBe("late");
    expect(await add("b").outcome).toBe("late");

    expect(begun).toEqual(["a"]);
    expect(Limiter.waiting("impatient")).toBe(0);
  });

  it("keeps to its bound while several of one key end in one turn", async () => {
    let running = 0;
    let most = 0;
    const afterTicks = async (ticks: number) => {
      for (let i = 0; i < ticks; i++) await undefined;
    };
    const workFor = (last: () => Promise<unknown>) => async () => {
      most = Math.max(most, ++running);
      await last();
      running -= 1;
    };
    for (let ticks = 0; ticks < 20; ticks++) {
      for (let later = 0; later < 4; later++) {
        const { limiter } = workbench();
        const run = (last: () => Promise<unknown>) => limiter.run(workFor(last), "a");
        const ending = [run(() => afterTicks(later)), run(() => afterTicks(0))];
        const next = afterTicks(ticks).then(() => run(settle));
        await Promise.all(ending);
        await Promise.all([next, run(settle), run(settle)]);
      }
    }
    expect(most).toBe(2);
  });

  it("has room again after work that failed", async () => {
    const limiter = new Limiter({ ...options, ofAll: { running: 1, waiting: 0 } });
    await expect(limiter.run(() => Promise.reject(new Error("failed")))).rejects.toThrow("failed");

    expect(await limiter.run(async () => "done")).toBe("done");
  });
});

describe("who would wait in vain", () => {
  const ofOneRow = { ...options, ofOne: { running: 1, waiting: 100 }, patienceMs: 1_000 };

  /** How requests for one row end, in the order in which they do. */
  const outcomesOf = (count: number, limiter: Limiter, ended: string[]): Promise<unknown> =>
    Promise.all(
      Array.from({ length: count }, () =>
        limiter
          .run(() => sleep(100), "row")
          .then(
            () => ended.push("served"),
            () => ended.push("refused"),
          ),
      ),
    );

  it("is refused at once: for longer than half of the patience, as the last ones took", async () => {
    const limiter = new Limiter(ofOneRow);
    const ended: string[] = [];
    const first = outcomesOf(3, limiter, ended);
    while (ended.length === 0) await sleep(1);
    await Promise.all([first, outcomesOf(50, limiter, ended)]);

    const beforeTheNext = ended.slice(1, 41);
    expect(beforeTheNext).toEqual(Array.from({ length: 40 }, () => "refused"));
    expect(ended.filter((it) => it === "served").length).toBeGreaterThanOrEqual(3);
  });

  it("waits, up to a hundred, where nobody knows how long it takes", async () => {
    const ended: string[] = [];
    await outcomesOf(103, new Limiter(ofOneRow), ended);
    expect(ended.slice(0, 2)).toEqual(["refused", "refused"]);
    expect(ended.slice(2, 4)).toEqual(["served", "served"]);
  });
});

describe("the limiters of a pool", () => {
  it.each(["rows", "writes"] as const)("of %s wait as long as for a connection", async (which) => {
    const pool = new Pool({ max: 1, connectionTimeoutMillis: 20 });
    const { promise, resolve } = Promise.withResolvers<void>();
    const limiter = limitersOf(pool)[which];
    const first = limiter.run(() => promise, "a row");
    const second = limiter.run(() => promise, "a row");
    await expect(second).rejects.toMatchObject({ cause: expect.stringMatching(/too long/) });
    resolve();
    await first;
    await pool.end();
  });
});
