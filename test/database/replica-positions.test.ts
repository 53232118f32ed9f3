import { describe, expect, it } from "@jest/globals";
import { trackPositions } from "../../src/database/replica-positions.ts";

/** A primary that answers when the test says, and a clock that stands still. */
function world() {
  const asked: PromiseWithResolvers<bigint>[] = [];
  let time = 0;
  const positions = trackPositions(
    () => {
      const question = Promise.withResolvers<bigint>();
      asked.push(question);
      return question.promise;
    },
    5_000,
    () => time,
  );
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return {
    positions,
    asked,
    settle,
    pass: (ms: number) => {
      time += ms;
    },
    /** The primary is there. */
    mark: async (position: bigint) => {
      const done = positions.refresh();
      await settle();
      asked.at(-1)?.resolve(position);
      await done;
    },
  };
}

describe("what a replica must have reached", () => {
  it("is unknown before the primary said where it is", () => {
    const { positions } = world();
    expect(positions.forAll()).toBeUndefined();
    expect(positions.forCaller("ann")).toBeUndefined();
  });

  it("is where the primary was in the last seconds, at the earliest", async () => {
    const { positions, mark, pass } = world();
    await mark(10n);
    pass(4_000);
    await mark(20n);
    expect(positions.forAll()).toBe(10n);
    pass(1_000);
    expect(positions.forAll()).toBe(20n);
    pass(4_000);
    expect(positions.forAll()).toBeUndefined();
  });

  it("is the end of the caller's own write, and nobody else's", async () => {
    const { positions, mark, asked, settle } = world();
    await mark(10n);
    await positions.during("ann", async () => {});
    await settle();
    asked.at(-1)?.resolve(30n);
    await settle();
    expect(positions.forCaller("ann")).toBe(30n);
    expect(positions.forCaller("bob")).toBe(10n);
  });

  it("is for everybody what they were told of, and unknown until the primary said where that is", async () => {
    const { positions, mark, asked, settle } = world();
    await mark(10n);
    positions.told();
    expect(positions.forCaller("bob")).toBeUndefined();
    await settle();
    asked.at(-1)?.resolve(30n);
    await settle();
    expect(positions.forCaller("bob")).toBe(30n);
    expect(positions.forAll()).toBe(10n);
  });

  it("is unknown while the caller writes, and until the primary said where that ended", async () => {
    const { positions, mark, asked, settle } = world();
    await mark(10n);
    const first = Promise.withResolvers<void>();
    const writing = positions.during("ann", () => first.promise);
    const failing = positions.during("ann", () => Promise.reject(new Error("cut")));
    await expect(failing).rejects.toThrow("cut");
    await settle();
    asked.at(-1)?.resolve(30n);
    await settle();
    expect(positions.forCaller("ann")).toBeUndefined();
    first.resolve();
    await writing;
    expect(positions.forCaller("ann")).toBeUndefined();
    await settle();
    asked.at(-1)?.resolve(40n);
    await settle();
    expect(positions.forCaller("ann")).toBe(40n);
  });

  it("is not learned from a question that was asked before the write ended", async () => {
    const { positions, mark, asked, settle } = world();
    await mark(10n);
    const older = positions.refresh();
    await settle();
    await positions.during("ann", async () => {});
    asked.at(-1)?.resolve(20n);
    await older;
    await settle();
    expect(positions.forCaller("ann")).toBeUndefined();
    asked.at(-1)?.resolve(30n);
    await settle();
    expect(positions.forCaller("ann")).toBe(30n);
  });

  it("is asked once for all writes that end at the same time", async () => {
    const { positions, mark, asked, settle } = world();
    await mark(10n);
    await Promise.all(
      Array.from({ length: 50 }, (_, i) => positions.during(`person ${i}`, async () => {})),
    );
    await settle();
    expect(asked).toHaveLength(2);
  });

  it("is unknown for all after a question without an answer, until a later one has one", async () => {
    const { positions, mark, asked, settle, pass } = world();
    await mark(10n);
    await positions.during("ann", async () => {});
    await settle();
    asked.at(-1)?.reject(new Error("down"));
    await settle();
    expect(positions.forCaller("bob")).toBeUndefined();
    pass(100);
    await mark(50n);
    expect(positions.forCaller("bob")).toBe(50n);
    expect(positions.forCaller("ann")).toBe(50n); // wherever her write ended, it was before
  });
});
