import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { Bound, type Limit, linesOf, waitingIn } from "../../src/overload/bound.ts";

const PATIENCE_MS = 60_000;

/** In milliseconds, where time stands still. */
let now: number;
beforeEach(() => {
  now = 0;
  jest.spyOn(performance, "now").mockImplementation(() => now);
});
afterEach(() => {
  jest.restoreAllMocks();
});

/** Runs three at once, two of them with one key. Each ends when the test says so. */
function workbench(ofOne: Partial<Limit> = {}, ofAll: Partial<Limit> = {}, patience = PATIENCE_MS) {
  const bound = new Bound(patience, "late");
  const one = linesOf({
    name: "one",
    running: 2,
    most: 3,
    fewest: 3,
    full: "one is full",
    ...ofOne,
  });
  const all = linesOf({
    name: "all",
    running: 3,
    most: 4,
    fewest: 4,
    full: "all is full",
    ...ofAll,
  });
  const begun: string[] = [];
  const add = (key: string) => {
    const work = Promise.withResolvers<void>();
    let isGone = false;
    const use = () => {
      begun.push(key);
      return work.promise;
    };
    const outcome = bound
      .run([one(key), all()], use, () => isGone)
      .then(
        () => "done",
        (error: Error) => String(error.cause ?? error.message),
      );
    const leave = () => {
      isGone = true;
    };
    const end = async (error?: Error) => {
      if (error) work.reject(error);
      else work.resolve();
      return await outcome;
    };
    return { outcome, leave, end };
  };
  const overload = (key: string) => bound.overload(one(key), all());
  return { begun, add, overload, dropGone: () => bound.dropGone() };
}

describe("a bound", () => {
  it("runs a few at once, and the next when one ends, be it with an error", async () => {
    const { begun, add } = workbench();
    const [first, second] = ["a", "b", "c", "d", "e"].map(add);
    await first?.end();
    expect(begun.join("")).toBe("abcd");
    expect(await second?.end(new Error("failed"))).toBe("failed");
    expect(begun.join("")).toBe("abcde");
  });

  it("leaves room for others when one asks for everything, and takes the first that has room", async () => {
    const { begun, add } = workbench();
    const [, , , b] = ["a", "a", "a", "b", "c"].map(add);
    await b?.end();
    expect(begun.join("")).toBe("aabc");
  });

  it("keeps to the bound of a key that waits for room with others", async () => {
    const { begun, add } = workbench({ running: 1 }, { running: 2 });
    const [x, y] = ["x", "y", "a", "a"].map(add);
    await x?.end();
    await y?.end();
    expect(begun.join("")).toBe("xya");
  });

  it("refuses at once what is more than it holds, of one and of all", async () => {
    const { add, overload } = workbench();
    const [, , , , , sixth] = ["a", "a", "a", "a", "a", "a"].map(add);
    expect(await sixth?.outcome).toBe("one is full");
    expect([overload("a"), overload("b")]).toEqual(["one is full", undefined]);

    const more = ["b", "b", "c", "c", "d", "d"].map(add); // one runs
    expect(await more[5]?.outcome).toBe("all is full");
    expect([overload("b"), overload("e")]).toEqual([undefined, "all is full"]);
  });

  it("leaves places to others when one asks for everything while others run", async () => {
    const { begun, add } = workbench();
    const others = ["x", "y", "z"].map(add);
    const [, , , , , sixth] = ["b", "b", "b", "b", "b", "b"].map(add);
    expect(await sixth?.outcome).toBe("one is full");
    add("c");
    for (const it of others) await it.end();
    expect(begun.join("")).toBe("xyzbbc");
  });

  it("counts the first turns little where they take longer than the others", async () => {
    const refusedOf = async (limit: Partial<Limit>) => {
      const { add } = workbench({ running: 1, most: 300, fewest: 1, ...limit });
      const [first] = ["a", "a"].map(add);
      await turn();
      now += PATIENCE_MS / 4; // at this pace two have their turn in time
      await first?.end();
      const [, , , more] = ["a", "a", "a", "a"].map(add);
      return Promise.race([more?.outcome, turn("waits")]);
    };
    expect(await refusedOf({})).toBe("one is full");
    expect(await refusedOf({ turns: 20 })).toBe("waits");
  });

  it("refuses with the reason of a line in which nobody may wait", async () => {
    const { add } = workbench({ most: 0, running: 1 }, {}, 0);
    const [, second] = ["a", "a"].map(add);
    expect(await second?.outcome).toBe("one is full");
  });

  it("keeps no place for those whose clients have left, when it is told", async () => {
    const { begun, add, dropGone } = workbench();
    const [first, , ...waiting] = ["a", "a", "a", "a", "a"].map(add);
    for (const it of waiting) it.leave();
    dropGone();
    for (const it of waiting) expect(await it.outcome).toBe("The client has left");
    add("a");
    await first?.end();
    expect(begun.join("")).toBe("aaa");
  });

  it("lets one wait again in its place that could not begin", () => {
    const bound = new Bound(PATIENCE_MS, "late");
    const all = linesOf({ name: "all", running: 1, fewest: 9, full: "all is full" });
    const begun: string[] = [];
    const waiterOf = (name: string) => ({
      lines: [all()],
      begin: () => void begun.push(name),
      fail: () => void begun.push(`${name} fails`),
    });
    const first = waiterOf("first");
    bound.enter(first);
    now = 1;
    for (const name of ["second", "third"]) bound.enter(waiterOf(name));
    bound.putBack(first, 0);
    for (let i = 0; i < 3; i++) bound.leave([all()], 1);
    expect(begun).toEqual(["first", "first", "second", "third"]);
  });

  it("does not begin what its client has left", async () => {
    const { begun, add } = workbench({}, { running: 1 });
    const [first, second] = ["a", "b", "c"].map(add);
    second?.leave();
    await first?.end();
    expect(await second?.outcome).toBe("The client has left");
    expect(begun.join("")).toBe("ac");
  });

  it("gives up on what waits too long, and counts it no more", async () => {
    jest.restoreAllMocks();
    const { begun, add } = workbench({}, { name: "impatient", running: 1 }, 20);
    const [, late] = ["a", "b"].map(add);
    await sleep(10);
    const later = add("c");
    expect(await late?.outcome).toBe("late");
    expect(await later.outcome).toBe("late");
    expect(begun).toEqual(["a"]);
    expect(waitingIn("impatient")).toBe(0);
  });

  it("does not begin what has waited too long when its turn comes", async () => {
    const { begun, add } = workbench({}, { running: 1 });
    const [first, late, gone] = ["a", "b", "d"].map(add);
    now = PATIENCE_MS;
    add("c");
    gone?.leave();
    await first?.end();
    expect(await late?.outcome).toBe("late");
    expect(await gone?.outcome).toBe("The client has left");
    expect(begun).toEqual(["a", "c"]);
  });
});

describe("who would wait in vain", () => {
  const roomy = { most: 100, fewest: 1 };

  it("is refused at once: for longer than half of the patience, as the last ones took", async () => {
    const { add } = workbench({ running: 1, ...roomy });
    let last = add("a");
    for (let i = 0; i < 3; i++) {
      const next = add("a");
      await turn();
      now += PATIENCE_MS / 10;
      await last.end();
      last = next;
    }
    const waiting = waitingIn("one");
    const outcomes = Array.from({ length: 6 }, () => add("a").outcome);
    expect(await outcomes[5]).toBe("one is full");
    expect(waitingIn("one") - waiting).toBe(5);
  });

  it("waits where nobody knows how long it takes, as after a pause", async () => {
    const { add } = workbench({ running: 1, ...roomy });
    const slow = add("a");
    await turn();
    now += 10 * PATIENCE_MS;
    await slow.end();
    const waiting = waitingIn("one");
    for (let i = 0; i < 102; i++) add("a");
    expect(waitingIn("one") - waiting).toBe(100);
  });
});
