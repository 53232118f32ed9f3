import type { Client } from "pg";
import { withClient } from "../database/client.ts";
import { type Person, people } from "./people.ts";

/**
 * Fills a database without profiles with a building that shows every state, in one transaction: half
 * a building would count as filled at the next start.
 *
 * @param superuserUrl logs in as one who may take the roles of the owner and of the service
 */
export const fillDemoBuilding = (superuserUrl: string): Promise<void> =>
  withClient(superuserUrl, async (client) => {
    const { rows } = await client.query("select from parking.profiles limit 1");
    if (rows.length > 0) return;
    await client.query("begin");
    await client.query("set local role parking_api");
    for (const person of Object.values(people)) await register(client, person);
    await client.query("set local role parking_owner");
    await client.query("select private.make_administrator($1)", [people.ada.email]);
    await client.query("set local role parking_api");
    await furnish(client);
    await client.query("commit");
  });

/** The people do everything themselves, through the functions that the service calls. */
async function furnish(client: Client): Promise<void> {
  const { ada, maria, omar, lena } = people;
  for (const { id } of [maria, omar, lena]) {
    await as(client, ada, "api.update_profile_flags($1, is_approved => true)", [id]);
  }

  const [a101, a102] = [
    await spot(client, maria, "A-101", "North garage"),
    await spot(client, maria, "A-102", "North garage"),
  ];
  const b201 = await spot(client, lena, "B-201", "South garage");
  await as(client, ada, "api.verify_spot($1, true)", [a101]);
  await as(client, ada, "api.verify_spot($1, true)", [b201]);

  const claimed = await window(client, maria, a101, 1);
  await window(client, maria, a101, 2);
  await window(client, maria, a102, 1);
  await window(client, lena, b201, 3);
  await as(client, omar, "api.create_claim($1, $2, $3)", [claimed, at(1, 9), at(1, 17)]);
}

async function register(client: Client, person: Person): Promise<void> {
  const { apartmentNumber, fullName } = person;
  await as(client, person, "api.create_profile($1, $2)", [apartmentNumber, fullName]);
}

async function spot(
  client: Client,
  owner: Person,
  number: string,
  section: string,
): Promise<string> {
  return as(client, owner, "api.create_spot($1, $2)", [number, section]);
}

async function window(client: Client, owner: Person, spotId: string, day: number): Promise<string> {
  const times = [at(day, 8), at(day, 18)];
  return as(client, owner, "api.create_availability($1, $2, $3)", [spotId, ...times]);
}

/** Calls one function as a person, and returns the id of the row that it wrote. */
async function as(
  client: Client,
  { id, email }: Person,
  call: string,
  values: readonly string[],
): Promise<string> {
  const claims = JSON.stringify({ sub: id, email, email_verified: true });
  await client.query("select set_config('request.jwt.claims', $1, true)", [claims]);
  return (await client.query(`select id from ${call}`, [...values])).rows[0].id;
}

/** `day` days from today, at a full hour UTC. */
function at(day: number, hour: number): string {
  const date = new Date();
  date.setUTCDate(date.getUTCDate() + day);
  date.setUTCHours(hour, 0, 0, 0);
  return date.toISOString();
}
