import { join } from "node:path";
import type { Issuer } from "../building/people.ts";
import type { Place } from "./contender.ts";
import { flagsOfStart, type Program, startProgram } from "./program.ts";

/** As many as the settings can say: every request is counted and none is refused. */
const MOST = "999999";
const limits = {
  RATE_LIMIT_PER_MINUTE: MOST,
  RATE_LIMIT_PER_HOUR: MOST,
  PROFILE_RATE_LIMIT_PER_MINUTE: MOST,
  PROFILE_RATE_LIMIT_PER_HOUR: MOST,
};

/** The service as an operator runs it in production, from the checkout that made the cluster. */
export const startService = async (
  { site: { folder }, building }: Place,
  { issuer, audience }: Issuer,
  store: "memory" | "postgres",
): Promise<Program> =>
  startProgram(join(folder, "src/main.ts"), {
    cwd: folder,
    flags: await flagsOfStart(folder),
    env: {
      NODE_ENV: "production",
      DATABASE_URL: building.url("parking_api"),
      AUTH_ISSUER: issuer,
      AUTH_AUDIENCE: audience,
      PORT: "0",
      RATE_LIMIT_STORE: store,
      ...limits,
    },
  });
