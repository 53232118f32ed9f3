import { availableParallelism } from "node:os";
import type { Config } from "jest";

const config: Config = {
  testMatch: ["<rootDir>/test/**/*.test.ts"],
  // They need browsers, other programs, or minutes: npm run test:all.
  testPathIgnorePatterns: ["/test/all/"],
  // Node reads TypeScript by itself.
  transform: {},
  testRunner: "<rootDir>/test/support/jest-runner.ts",
  testSequencer: "<rootDir>/test/support/jest-sequencer.ts",
  globalSetup: "<rootDir>/test/support/global-setup.ts",
  globalTeardown: "<rootDir>/test/support/global-teardown.ts",
  // Half of a test is waiting: for PostgreSQL, a process that starts, a browser.
  maxWorkers: Math.min(2 * availableParallelism(), 8),
  // On a busy machine a worker needs longer than Jest's half second to end.
  workerGracefulExitTimeout: 30_000,
  // Only a failing test waits for it. It is longer than a start of the program on a busy machine.
  testTimeout: 180_000,
};

export default config;
