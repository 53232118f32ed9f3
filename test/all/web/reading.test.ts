import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { createCache } from "../../../src/web/api/cache.ts";

interface Live {
  keepFresh(live: object): () => void;
  isShown(live: object): boolean;
  changed(topic: string): void;
  touched(topics: readonly string[], event: object): void;
}

interface Readings {
  readAhead(source: object): void;
}
interface Kept {
  keepFor(subject: string): void;
  keptValue(name: string): { readonly value: unknown; readonly readAt: number } | undefined;
}
interface Storages {
  readonly shared: { write(name: string, value: string): void };
}

// By their addresses: the types of a browser are not those of the tests.
const web = new URL("../../../src/web/", import.meta.url);
const { keepFresh, isShown, changed, touched }: Live = await import(`${web}api/live.ts`);
const { readAhead }: Readings = await import(`${web}api/reading.ts`);
const { keepFor, keptValue }: Kept = await import(`${web}sign-in/kept.ts`);
const { shared }: Storages = await import(`${web}storage.ts`);

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

  describe("in a page that is hidden", () => {
    beforeAll(() => {
      Object.assign(globalThis, { document: { visibilityState: "hidden" } });
    });
    afterAll(() => {
      Reflect.deleteProperty(globalThis, "document");
    });

    it("is as old as the question for it, though there was a change before the answer", async () => {
      shared.write("tokens", JSON.stringify({ subject: "ann" }));
      keepFor("ann");
      const key = "claims of ann";
      const { promise, resolve } = Promise.withResolvers<string>();
      const askedAt = Date.now();
      readAhead({ key, topics: ["claims"], read: () => promise, isKept: true });
      changed("claims");
      resolve("none");
      await new Promise(setImmediate);

      expect(keptValue(key)?.value).toBe("none");
      expect(keptValue(key)?.readAt).toBeGreaterThanOrEqual(askedAt);
    });
  });

  it("includes events that came while it was read, for the answer may be older", async () => {
    shared.write("tokens", JSON.stringify({ subject: "ben" }));
    keepFor("ben");
    const key = "spots of ben";
    const answers = [["A"], ["A", "B"]];
    let asked = 0;
    const { promise, resolve } = Promise.withResolvers<void>();
    const source = {
      key,
      topics: ["spots"],
      isKept: true,
      read: async () => {
        const answer = answers[asked++];
        await promise;
        return answer;
      },
      apply: (spots: readonly string[], { data }: { readonly data: string }) => [...spots, data],
    };
    readAhead(source);
    touched(["spots"], { type: "spot.registered", data: "C" });
    resolve();
    await new Promise(setImmediate);
    expect(keptValue(key)?.value).toEqual(["A", "C"]);
    expect(asked).toBe(1);
  });

  it("stays shown until the last part of the page is gone that shows it", () => {
    const live = { stale: () => undefined };
    const [first, second] = [keepFresh(live), keepFresh(live)];
    first();
    expect(isShown(live)).toBe(true);
    second();
    expect(isShown(live)).toBe(false);
  });
});
