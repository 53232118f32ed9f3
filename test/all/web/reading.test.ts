import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { createCache } from "../../../src/web/api/cache.ts";
import { forgetKeys, keepKey, keyFor } from "../../../src/web/api/lost-answers.ts";
import { keepFor, keptValue } from "../../../src/web/sign-in/kept.ts";
import { shared } from "../../../src/web/storage.ts";

interface Live {
  keepFresh(live: object): () => void;
  isShown(live: object): boolean;
  changed(topic: string): void;
  touched(topics: readonly string[], event: object): void;
}
interface Readings {
  readAhead(source: object): void;
}
interface Connection {
  readonly connection: { get(): { readonly state: string } };
  reportOnline(): void;
  waitOut(wait: number, isBusy: boolean): Promise<void>;
}

// By their addresses: the types of Preact bring those of a browser to all tests.
const api = new URL("../../../src/web/api/", import.meta.url);
const { keepFresh, isShown, changed, touched }: Live = await import(`${api}live.ts`);
const { readAhead }: Readings = await import(`${api}reading.ts`);
const { connection, reportOnline, waitOut }: Connection = await import(`${api}connection.ts`);

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

it("an answer to an earlier request does not end the time that the service asked for", async () => {
  const wait = waitOut(1_000, false);
  reportOnline();
  expect(connection.get().state).toBe("waiting");

  await wait;
  reportOnline();
  expect(connection.get().state).toBe("online");
});

describe("the key of a request without an answer", () => {
  it("is that of the next attempt, until something was done", () => {
    const key = keyFor("a claim");
    expect(keyFor("a claim")).not.toBe(key);
    keepKey("a claim", key);
    expect(keyFor("a claim")).toBe(key);
    expect(keyFor("another claim")).not.toBe(key);
    // What was done may be its undoing: then it is another claim.
    forgetKeys();
    expect(keyFor("a claim")).not.toBe(key);
  });

  it("is kept for the newest requests alone", () => {
    for (let number = 0; number < 100; number++) keepKey(`claim ${number}`, `key ${number}`);
    expect(keyFor("claim 99")).toBe("key 99");
    expect(keyFor("claim 0")).not.toBe("key 0");
    forgetKeys();
  });
});
