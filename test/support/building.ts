import { randomUUID } from "node:crypto";
import { Pool, type QueryResultRow } from "pg";
import { cloneDatabase, type TestDatabase } from "./database.ts";
import { opened } from "./opened.ts";
import { type Person, personOf } from "./person.ts";
import { type Service, type ServiceOptions, startService } from "./service.ts";

export interface Spot {
  readonly id: string;
  readonly spot_number: string;
  readonly owner_id: string;
  readonly building_section: string;
  readonly is_verified: boolean;
  readonly created_at: string;
  readonly updated_at: string;
}
export interface Window {
  readonly id: string;
  readonly spot_id: string;
  readonly start_time: string;
  readonly end_time: string;
  readonly is_claimed: boolean;
}
export interface Claim {
  readonly id: string;
  readonly availability_id: string;
  readonly claimer_id: string;
  readonly start_time: string;
  readonly end_time: string;
  readonly status: string;
}

/** The service on a database of its own, and people who use it. */
export interface Building {
  readonly database: TestDatabase;
  readonly service: Service;
  /** Somebody with a token and no profile. */
  newcomer(): Promise<Person>;
  /** Somebody with a profile that is not approved. */
  unapproved(): Promise<Person>;
  resident(): Promise<Person>;
  administrator(): Promise<Person>;
  concierge(): Promise<Person>;
  /** Runs SQL as the owner of the database, to whom no policy applies. */
  rows<Row extends QueryResultRow>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

/** A building of all tests of a file, or of a describe, and a person of all of them. */
export type Shared<One extends Building = Building> = One & {
  shared(kind: "newcomer" | "unapproved" | "resident" | "administrator" | "concierge"): Person;
};

export function shared<One extends Building>(open: () => Promise<One>): Shared<One> {
  const building = opened(open, (it) => it.close());
  const shared: Shared["shared"] = (kind) => opened(() => building[kind]());
  return new Proxy(building, {
    get: (_, name) => (name === "shared" ? shared : Reflect.get(building, name)),
  }) as Shared<One>;
}

export const useBuilding = (options?: ServiceOptions): Shared =>
  shared(() => openBuilding(options));

export async function openBuilding(
  options: ServiceOptions = {},
  given?: TestDatabase,
): Promise<Building> {
  const database = given ?? (await cloneDatabase());
  const service = await startService(database.url("parking_api"), options);
  const owner = new Pool({ connectionString: database.url("parking_owner"), max: 2 });
  const api = new Pool({ connectionString: database.url("parking_api"), max: 20 });
  // On a busy machine the database may be dropped before a connection has closed.
  for (const pool of [owner, api]) pool.on("error", () => {});

  const newcomer = (): Promise<Person> => personOf(service, api, randomUUID());
  const registered = async (flags: {
    is_approved?: true;
    is_admin?: true;
    is_concierge?: true;
  }): Promise<Person> => {
    const person = await newcomer();
    await person.post("/profile", { apartment_number: "1A" }, 201);
    await owner.query(
      "update parking.profiles set is_approved = $2, is_admin = $3, is_concierge = $4 where id = $1",
      [person.id, flags.is_approved ?? false, flags.is_admin ?? false, flags.is_concierge ?? false],
    );
    // A person in a test starts without notifications, and so do administrators.
    await owner.query(
      "delete from parking.notifications where recipient_id = $1 or kind = 'profiles.waiting'",
      [person.id],
    );
    return person;
  };

  return {
    database,
    service,
    newcomer,
    unapproved: () => registered({}),
    resident: () => registered({ is_approved: true }),
    administrator: () => registered({ is_approved: true, is_admin: true }),
    concierge: () => registered({ is_approved: true, is_concierge: true }),
    rows: async <Row extends QueryResultRow>(sql: string, values: readonly unknown[] = []) =>
      (await owner.query<Row>(sql, [...values])).rows,
    close: async () => {
      await service.close();
      await Promise.all([owner.end(), api.end()]);
      await database.drop();
    },
  };
}

let spots = 0;

/** Registers a spot with a number that no other test uses. */
export async function spotOf(owner: Person, section = "North"): Promise<Spot> {
  spots += 1;
  const { body } = await owner.post<{ spot: Spot }>(
    "/parking-spots",
    {
      spot_number: `T-${String(spots).padStart(4, "0")}-${randomUUID().slice(0, 8)}`,
      building_section: section,
    },
    201,
  );
  return body.spot;
}

/** Publishes a window of the owner's spot, from and to these hours from now. */
export async function windowOf(owner: Person, spot: Spot, from = 1, to = 5): Promise<Window> {
  const { body } = await owner.post<{ availability: Window }>(
    "/availabilities",
    { spot_id: spot.id, start_time: hours(from), end_time: hours(to) },
    201,
  );
  return body.availability;
}

/** Claims the whole window. */
export async function claimOf(claimer: Person, window: Window): Promise<Claim> {
  const { body } = await claimer.post<{ claim: Claim }>(
    "/claims",
    { availability_id: window.id, start_time: window.start_time, end_time: window.end_time },
    201,
  );
  return body.claim;
}

export interface Offer {
  readonly owner: Person;
  readonly spot: Spot;
  readonly window: Window;
  /** Somebody who may claim the window. */
  readonly claimer: Person;
}
export interface Holding extends Offer {
  readonly claim: Claim;
}

/** A spot with a window from hour 1 to hour 5. */
export async function offer(building: Building): Promise<Offer> {
  const owner = await building.resident();
  const claimer = await building.resident();
  const spot = await spotOf(owner);
  return { owner, claimer, spot, window: await windowOf(owner, spot, 1, 5) };
}

/** An offer, the whole of which the claimer has claimed. */
export async function holding(building: Building): Promise<Holding> {
  const offered = await offer(building);
  return { ...offered, claim: await claimOf(offered.claimer, offered.window) };
}

const startOfRun = Math.ceil(Date.now() / 3_600_000) * 3_600_000;

/** A full hour, `count` hours after the next one. It does not change while a test file runs. */
export const hours = (count: number): string =>
  new Date(startOfRun + count * 3_600_000).toISOString();
