import type { Config } from "jest";
import config from "../../jest.config.ts";

/** Every test of the project. */
const everything: Config = { ...config, rootDir: "../..", testPathIgnorePatterns: [] };

export default everything;
