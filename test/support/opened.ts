// Not @jest/globals, which only Jest can load: bench/overload.ts opens a building too.
import { afterAll, beforeAll } from "./jest-globals.ts";

/**
 * Opens something before the tests of a file, or of a describe, and closes it after them. What is
 * returned has the members of what was opened, from then on.
 */
export function opened<Thing extends object>(
  open: () => Promise<Thing>,
  close: (thing: Thing) => Promise<void> = async () => {},
): Thing {
  let thing: Thing | undefined;
  beforeAll(async () => {
    thing = await open();
  });
  afterAll(async () => {
    if (thing) await close(thing);
  });
  return new Proxy<Thing>(Object.create(null), {
    get(_, name) {
      if (!thing) throw new Error(`${String(name)} is used before the tests begin`);
      return Reflect.get(thing, name);
    },
  });
}
