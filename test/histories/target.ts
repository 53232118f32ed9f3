import type { Arena } from "../support/arena.ts";
import type { Person } from "../support/person.ts";
import { noRateLimits, type Program, startProgram } from "../support/program.ts";
import { type Relay, startRelay } from "../support/relay.ts";
import { served } from "../support/served.ts";
import { until } from "../support/waiting.ts";
import type { Fault } from "./faults.ts";
import type { Body } from "./recorded.ts";
import type { Request } from "./request.ts";

export interface Reply {
  readonly status: number;
  /** The code of a failure. */
  readonly code: string | null;
  readonly body: Body;
}

/** The service that the clients use. */
export interface Target {
  /** Resolves while there is a process that listens. */
  isUp(): Promise<unknown>;
  ask(person: Person, request: Request): Promise<Reply>;
  cause(fault: Fault): Promise<void>;
  /** Afterwards nothing happens any more of what was asked before. */
  close(): Promise<void>;
}

async function ask(
  origin: string,
  { token }: Person,
  { method, path, body }: Request,
): Promise<Reply> {
  const response = await fetch(`${origin}/api${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${token}`,
      "Content-Type": "application/json",
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const { status, headers } = response;
  return { status, code: headers.get("X-Error-Code"), body: (await response.json()) as Body };
}

/**
 * The service in the process of the test, in which nothing fails. On a busy machine it refuses what
 * would wait too long for its row; that did not happen, and is asked again.
 */
export const steadyTarget = ({ service }: Arena): Target => ({
  isUp: () => Promise.resolve(),
  ask: (person, request) => served(() => ask(service.origin, person, request)),
  cause: (fault) => Promise.reject(new Error(`there is no fault here: ${fault}`)),
  close: () => Promise.resolve(),
});

/** The service as a process of its own, with a relay between it and PostgreSQL. */
export async function faultyTarget(arena: Arena): Promise<Target> {
  const url = arena.database.url("parking_api");
  const relay = await startRelay(Number(new URL(url).port));
  // Without jobs, which write events once more: invariants.ts tells by the rows what one transaction wrote.
  const settings = { ...noRateLimits, DATABASE_URL: relay.url(url), JOBS: "off" };
  let program = startProgram(arena, settings);
  await program;

  return {
    isUp: () => program,
    ask: async (person, request) => ask((await program).origin, person, request),
    cause: async (fault) => {
      const running = await program;
      if (fault === "service killed") {
        program = running.kill().then(() => startProgram(arena, settings));
        await program;
      } else {
        await breakConnections(arena, relay, fault);
      }
    },
    close: async () => {
      const last: Program = await program;
      await last.stop();
      await relay.close();
      await until("the end of what the service had begun", async () => {
        const { rowCount } = await arena.superuser.query(
          `select from pg_stat_activity
            where datname = current_database()
              and application_name = 'parking'
              and state <> 'idle'`,
        );
        return rowCount === 0;
      });
    },
  };
}

async function breakConnections({ superuser }: Arena, relay: Relay, fault: Fault): Promise<void> {
  switch (fault) {
    case "backends terminated":
      await superuser.query(
        `select pg_terminate_backend(pid)
           from pg_stat_activity
          where datname = current_database() and application_name = 'parking'`,
      );
      break;
    case "connections cut":
      relay.cut();
      break;
    case "request lost":
      await relay.cutAt("request", isWriting);
      break;
    case "answer lost":
      await relay.cutAt("answer", isWriting);
      break;
    default:
      throw new Error(`this breaks no connection: ${fault}`);
  }
}

/** The first statement of a transaction that may write has this name; the flight binds it. */
const isWriting = (flight: Buffer): boolean => flight.includes("\0identify\0");
