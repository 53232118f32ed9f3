/** What a test imports from `@jest/globals`, of the test file that runs now (see jest-runner.ts). */
import type * as Jest from "@jest/globals";

/** What Jest makes anew for each test file. */
export interface CurrentFile {
  readonly globals: typeof Jest;
  readonly mocker: typeof Jest.jest;
}

declare global {
  var currentTestFile: CurrentFile;
}

/** Looks for it at each use: what imported it may have been loaded for another test file. */
const current = <Thing extends object>(thing: () => Thing): Thing =>
  new Proxy<Thing>(
    Object.assign(() => {}),
    {
      apply: (_, self, args) => Reflect.apply(Object(thing()), self, args),
      get: (_, key) => Reflect.get(thing(), key),
      set: (_, key, value) => Reflect.set(thing(), key, value),
    },
  );

export const afterAll = current(() => currentTestFile.globals.afterAll);
export const afterEach = current(() => currentTestFile.globals.afterEach);
export const beforeAll = current(() => currentTestFile.globals.beforeAll);
export const beforeEach = current(() => currentTestFile.globals.beforeEach);
export const describe = current(() => currentTestFile.globals.describe);
export const expect = current(() => currentTestFile.globals.expect);
export const it = current(() => currentTestFile.globals.it);
export const jest = current(() => currentTestFile.mocker);
