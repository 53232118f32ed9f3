import type { Config } from "jest";

const config: Config = {
  testMatch: ["<rootDir>/test/**/*.test.ts"],
  // Node reads TypeScript by itself.
  transform: {},
  testRunner: "<rootDir>/test/support/jest-runner.ts",
  globalSetup: "<rootDir>/test/support/global-setup.ts",
  globalTeardown: "<rootDir>/test/support/global-teardown.ts",
  // Much of a test is waiting, so no core need be kept free.
  maxWorkers: "100%",
  // Only a failing test waits for it. It is longer than a start of the program on a busy machine.
  testTimeout: 180_000,
};

export default config;
