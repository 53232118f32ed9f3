import { existsSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { measurements } from "../measurements.ts";
import { isNamed, type Options } from "../options.ts";
import type { Contender, Place } from "./contender.ts";
import { type Arena, asItIs, type HttpContender, httpContender, type Translation } from "./http.ts";
import { asDocument, asRest } from "./postgraphile.ts";
import { startProgram } from "./program.ts";

const folder = join(import.meta.dirname, "../peers");

interface Peer {
  readonly name: string;
  readonly file: string;
  /** The role that the database knows it by. */
  readonly role: "parking_api" | "parking_owner";
  readonly translate: Translation;
  /** Makes of its answer what the service answers. */
  readonly read: (answer: unknown) => unknown;
}

const peers: readonly Peer[] = [
  {
    name: "PostGraphile",
    file: "postgraphile.js",
    role: "parking_api",
    translate: asDocument,
    read: asRest,
  },
  {
    name: "Fastify + Drizzle",
    file: "fastify.js",
    role: "parking_owner",
    translate: (measurement) =>
      measurement.name.startsWith("GraphQL") ? undefined : asItIs(measurement),
    read: (answer) => answer,
  },
];

/** What one would use instead of the service, on the same database, with the same answers. */
export async function openPeers(
  service: HttpContender,
  arena: Arena,
  place: Place,
  stack: AsyncDisposableStack,
  against: Options["against"],
): Promise<readonly Contender[]> {
  const chosen = peers.filter(({ name }) => isNamed(name, against));
  if (chosen.length > 0 && !existsSync(join(folder, "node_modules"))) {
    console.log("Without the peers, which are not installed: npm ci --prefix bench/peers\n");
    return [];
  }
  const contenders: Contender[] = [];
  for (const { name, file, role, translate, read } of chosen) {
    const env = {
      NODE_ENV: "production",
      DATABASE_URL: place.building.url(role),
      AUTH_ISSUER: arena.issuer.issuer,
      AUTH_AUDIENCE: arena.issuer.audience,
    };
    const program = stack.use(await startProgram(join(folder, file), { env }));
    const contender = httpContender(name, program, arena, place, translate);
    await compare(service, contender, read);
    contenders.push(contender);
  }
  return contenders;
}

/** @throws Error where a peer answers a read otherwise than the service */
async function compare(
  service: HttpContender,
  peer: HttpContender,
  read: Peer["read"],
): Promise<void> {
  for (const measurement of measurements.filter((it) => it.reads && peer.takesPart(it))) {
    const expected: unknown = JSON.parse(await service.ask(measurement), withTimes);
    const text = await peer.ask(measurement);
    const answer: unknown = read(JSON.parse(text, withTimes));
    if (!isPartOf(expected, answer)) {
      throw new Error(`${peer.name} answers ${measurement.name} otherwise: ${text}`);
    }
  }
}

/** PostGraphile's profile has no user, and a peer does not say its version. What it says is the same. */
const isPartOf = (whole: unknown, part: unknown): boolean =>
  isDeepStrictEqual(part, whole) ||
  (isObject(whole) &&
    isObject(part) &&
    Object.keys(part).length > 0 &&
    Object.entries(part).every(([name, value]) => isDeepStrictEqual(value, whole[name])));

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The same moment, however it is written. */
const withTimes = (_name: string, value: unknown): unknown =>
  typeof value === "string" && /^\d{4}-\d\d-\d\dT/.test(value)
    ? new Date(value).toISOString()
    : value;
