import { describe, expect, it, jest } from "@jest/globals";
import { lazy, oncePer } from "../src/lazy.ts";

describe("what is made for the first caller", () => {
  it("is made once, also for callers side by side", async () => {
    let times = 0;
    const get = lazy(async () => ++times);
    expect([...(await Promise.all([get(), get()])), await get()]).toEqual([1, 1, 1]);
  });

  it("is made by the next caller where that failed", async () => {
    let times = 0;
    const get = lazy(async () => {
      times += 1;
      if (times === 1) throw new Error("not yet");
      return times;
    });
    await expect(get()).rejects.toThrow("not yet");
    expect(await get()).toBe(2);
  });

  it("is not tried again for a while where a failure is dear", async () => {
    let now = 0;
    const clock = jest.spyOn(performance, "now").mockImplementation(() => now);
    try {
      let times = 0;
      const get = lazy(
        async () => {
          times += 1;
          if (times === 1) throw new Error("not yet");
          return times;
        },
        () => 10_000,
      );
      await expect(get()).rejects.toThrow("not yet");
      now = 9_999;
      await expect(get()).rejects.toThrow("not yet");
      now = 10_000;
      expect(await get()).toBe(2);
      now = 30_000;
      expect(await get()).toBe(2);
    } finally {
      clock.mockRestore();
    }
  });
});

it("makes for each key once", () => {
  const [one, other] = [{}, {}];
  const get = oncePer((key: object) => ({ key }));
  expect(get(one)).toBe(get(one));
  expect(get(other)).toEqual({ key: other });
  expect(get(other)).not.toBe(get(one));
});
