import { randomUUID } from "node:crypto";
import { startOwnPostgres } from "../../support/own-postgres.ts";
import { type Home, noRateLimits, type Program, startProgram } from "../../support/program.ts";
import { served } from "../../support/served.ts";
import { startTestIssuer } from "../../support/tokens.ts";

/** Somebody who lives in the building. */
export interface Resident {
  readonly id: string;
  readonly token: string;
}

export type OwnBuilding = Awaited<ReturnType<typeof openOwnBuilding>>;

/** A PostgreSQL of the test's own, and what is needed to run the service on it. */
export async function openOwnBuilding(
  settings?: Readonly<Record<string, string>>,
  environment?: Readonly<Record<string, string>>,
) {
  const [postgres, issuer] = await Promise.all([
    startOwnPostgres(settings, environment),
    startTestIssuer(),
  ]);
  const home: Home = { database: postgres, service: { issuer } };
  return {
    postgres,
    /** The service, whose log can be read. */
    start: (settings: Readonly<Record<string, string>> = {}): Promise<Program> =>
      startProgram(home, { ...noRateLimits, LOG_LEVEL: "warn", ...settings }),
    async resident(program: Program): Promise<Resident> {
      const id = randomUUID();
      const email = `${id}@test.example`;
      const token = await issuer.token({ sub: id, email, email_verified: true });
      await served(() => program.ask({ token }, "POST", "/profile", { apartment_number: "1A" }));
      await postgres.rows("update parking.profiles set is_approved = true where id = $1", [id]);
      return { id, token };
    },
    async close() {
      await Promise.all([postgres.close(), issuer.close()]);
    },
  };
}
