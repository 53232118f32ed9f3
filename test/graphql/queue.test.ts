import { describe, expect, it } from "@jest/globals";
import { createQueue, type Queue, type QueueLimits } from "../../src/graphql/execution/queue.ts";

const limits: QueueLimits = {
  running: 3,
  runningOfOne: 2,
  waiting: 4,
  waitingOfOne: 3,
  longestWaitMs: 60_000,
};

/** Puts work into a queue that notes when it begins and ends on a signal. */
function workbench(overrides: Partial<QueueLimits> = {}) {
  const queue: Queue = createQueue({ ...limits, ...overrides });
  const begun: string[] = [];
  const add = (caller: string, left = new AbortController()) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const done = queue.run(caller, left.signal, async () => {
      begun.push(caller);
      await promise;
    });
    const outcome = done.then(
      () => "done",
      (error: Error) => error.message,
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
  return { begun, add };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe("the queue of operations", () => {
  it("runs a few at once, and the next when one ends", async () => {
    const { begun, add } = workbench();
    const first = add("a");
    for (const caller of ["b", "c", "d"]) add(caller);
    expect(begun).toEqual(["a", "b", "c"]);

    await first.end();
    await settle();
    expect(begun).toEqual(["a", "b", "c", "d"]);
  });

  it("leaves room for others when one caller asks for everything", async () => {
    const { begun, add } = workbench();
    for (let i = 0; i < 4; i++) add("a");
    add("b");

    expect(begun).toEqual(["a", "a", "b"]);
  });

  it("refuses at once what is more than it holds, of one caller and of all", async () => {
    const { add } = workbench();
    const ofOne = Array.from({ length: 6 }, () => add("a"));
    expect(await ofOne[5]?.outcome).toBe("Service unavailable");

    for (const caller of ["b", "c"]) add(caller); // one runs, one waits: the queue is full
    expect(await add("d").outcome).toBe("Service unavailable");
  });

  it("does not begin what its client has left", async () => {
    const { begun, add } = workbench({ running: 1 });
    const first = add("a");
    const second = add("b");
    add("c");
    second.leave();
    expect(await second.outcome).toBe("The client has left");

    await first.end();
    await settle();
    expect(begun).toEqual(["a", "c"]);
  });

  it("gives up on what waits too long", async () => {
    const { begun, add } = workbench({ running: 1, longestWaitMs: 1 });
    add("a");

    expect(await add("b").outcome).toBe("Service unavailable");
    expect(begun).toEqual(["a"]);
  });

  it("has room again after work that failed", async () => {
    const queue = createQueue({ ...limits, running: 1, waiting: 0 });
    const { signal } = new AbortController();
    await expect(queue.run("a", signal, () => Promise.reject(new Error("failed")))).rejects.toThrow(
      "failed",
    );

    expect(await queue.run("a", signal, async () => "done")).toBe("done");
  });
});
