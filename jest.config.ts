import type { Config } from "jest";

const config: Config = {
  testMatch: ["<rootDir>/test/**/*.test.ts"],
  extensionsToTreatAsEsm: [".ts"],
  transform: { "\\.ts$": "<rootDir>/test/support/strip-types.cjs" },
  testTimeout: 30_000,
};

export default config;
