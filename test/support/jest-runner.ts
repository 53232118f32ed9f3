/**
 * Runs the test files with Jest, and lets Node load them, as it loads the service. Jest would load
 * every module anew for every file: that is most of what a run costs. So a module outlives the
 * test file that loaded it, and a helper registers no hook outside a function.
 */
import { createRequire, registerHooks } from "node:module";
import { pathToFileURL } from "node:url";
import type { CurrentFile } from "./jest-globals.ts";

interface Environment {
  readonly global: Record<string, unknown>;
  readonly moduleMocker: CurrentFile["mocker"];
}
interface Runtime {
  unstable_shouldLoadAsEsm(path: string): boolean;
  unstable_importModule(path: string): Promise<unknown>;
  setGlobalsForRuntime(globals: CurrentFile["globals"]): void;
}
type TestRunner = (
  globalConfig: unknown,
  config: unknown,
  environment: Environment,
  runtime: Runtime,
  testPath: string,
  ...others: readonly unknown[]
) => Promise<unknown>;

const { default: run }: { default: TestRunner } = createRequire(import.meta.url)(
  "jest-circus/runner",
);

const globalsUrl = new URL("jest-globals.ts", import.meta.url).href;
registerHooks({
  resolve: (specifier, context, nextResolve) =>
    nextResolve(specifier === "@jest/globals" ? globalsUrl : specifier, context),
});

const runTests: TestRunner = (globalConfig, config, environment, runtime, testPath, ...others) => {
  // Jest's own code has a realm of its own. Its String must be that of the tests: expect.any(String).
  for (const name of Object.getOwnPropertyNames(globalThis).filter((it) => /^[A-Z]/.test(it))) {
    const value: unknown = Reflect.get(globalThis, name);
    if (typeof value === "function") environment.global[name] = value;
  }
  runtime.unstable_shouldLoadAsEsm = () => true;
  runtime.unstable_importModule = (path) => import(pathToFileURL(path).href);
  runtime.setGlobalsForRuntime = (globals) => {
    globalThis.currentTestFile = { globals, mocker: environment.moduleMocker };
  };
  return run(globalConfig, config, environment, runtime, testPath, ...others);
};

export default runTests;
