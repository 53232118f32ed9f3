import { describe, expect, it } from "@jest/globals";
import { createCache } from "../../src/web/api/cache.ts";

interface Live {
  keepFresh(live: object): () => void;
  isShown(live: object): boolean;
}

// By its address: the types of a browser are not those of the tests.
const { href } = new URL("../../src/web/api/live.ts", import.meta.url);
const { keepFresh, isShown }: Live = await import(href);

describe("what the page has read", () => {
  function cacheOf(most: number, inUse: ReadonlySet<string> = new Set()) {
    const dropped: string[] = [];
    const made: string[] = [];
    const cache = createCache<string>({
      most,
      isInUse: (value) => inUse.has(value),
      dropped: (value) => dropped.push(value),
    });
    const get = (key: string) =>
      cache.get(key, () => {
        made.push(key);
        return key;
      });
    return { get, made, dropped };
  }

  it("is kept, and read once", () => {
    const { get, made } = cacheOf(2);
    for (const key of ["a", "b", "a", "b"]) expect(get(key)).toBe(key);
    expect(made).toEqual(["a", "b"]);
  });

  it("goes once there is too much, what was looked at longest ago first", () => {
    const { get, dropped } = cacheOf(2);
    for (const key of ["a", "b", "a", "c", "d"]) get(key);
    expect(dropped).toEqual(["b", "a"]);
  });

  it("stays while it is shown, and until it was shown once, though there is too much", () => {
    const { get, dropped, made } = cacheOf(2, new Set(["a", "b"]));
    for (const key of ["a", "b", "c", "d", "a"]) get(key);
    expect(dropped).toEqual(["c"]);
    expect(made).toEqual(["a", "b", "c", "d"]);
  });

  it("stays shown until the last part of the page is gone that shows it", () => {
    const live = {};
    const [first, second] = [keepFresh(live), keepFresh(live)];
    first();
    expect(isShown(live)).toBe(true);
    second();
    expect(isShown(live)).toBe(false);
  });
});
