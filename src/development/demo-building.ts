import type { Client } from "pg";
import { withClient } from "../database/client.ts";
import * as garage from "./garage.ts";
import { type Person, people } from "./people.ts";

/**
 * Fills a database without profiles with a building that shows every state, in one transaction: half
 * a building would count as filled at the next start.
 *
 * @param superuserUrl logs in as one who may take the roles of the owner and of the service
 * @param moment at which the building shows itself, for tests of other days; none that is over, because
 *   what is shared from then on follows every rule
 */
export const fillDemoBuilding = (superuserUrl: string, moment?: Date): Promise<void> =>
  withClient(superuserUrl, async (client) => {
    const { rows } = await client.query("select from parking.profiles limit 1");
    if (rows.length > 0) return;
    await client.query("begin");
    await client.query(garage.setClock, [moment]);
    await client.query("set local role parking_api");
    for (const person of Object.values(people)) await register(client, person);
    await client.query("set local role parking_owner");
    await client.query("select private.make_administrator($1)", [people.ada.email]);
    await client.query("set local role parking_api");
    await furnish(client);
    await client.query("set local role none");
    await rememberPast(client);
    await client.query("commit");
  });

const residents: readonly Person[] = Object.values(people).filter(
  ({ account }) => account === "resident",
);

/** The people do everything themselves, as the role of the service. */
async function furnish(client: Client): Promise<void> {
  const { ada } = people;
  await as(client, ada, garage.setUp);
  for (const { id } of residents) {
    await as(client, ada, "select from api.update_profile_flags($1, is_approved => true)", [id]);
  }
  for (const { owner, spots } of garage.holdings) {
    const call =
      "select from unnest($1::text[], $2::text[]) as s (number, section), api.create_spot(number, section)";
    const sections = spots.map((number) => garage.sections[number.charAt(0)]);
    await as(client, owner, call, [spots, sections]);
  }
  await as(
    client,
    ada,
    "update parking.spots set is_verified = true where spot_number <> all ($1)",
    [garage.unverified],
  );
  for (const { owner } of garage.holdings) await as(client, owner, garage.shareSpots);
  // Before there is a past: at a moment to come, its claims have not ended and count for the limit.
  for (const person of residents) await as(client, person, garage.claimSpots);
}

/** Nobody can write the past: triggers refuse it, and nothing happens now. So none runs here. */
async function rememberPast(client: Client): Promise<void> {
  await client.query("set local session_replication_role = replica");
  await client.query(garage.sharePast);
  await client.query(garage.claimPast);
  await client.query("set local session_replication_role = origin");
  await client.query("select private.recount()");
}

async function register(client: Client, person: Person): Promise<void> {
  const { apartmentNumber, fullName, phoneNumber, sharesPhoneNumber } = person;
  const call = "select from api.create_profile($1, $2, $3, $4)";
  await as(client, person, call, [apartmentNumber, fullName, phoneNumber, sharesPhoneNumber]);
}

/** Runs one statement as a person. */
async function as(
  client: Client,
  { id, email }: Person,
  statement: string,
  values: readonly unknown[] = [],
): Promise<void> {
  const claims = JSON.stringify({ sub: id, email, email_verified: true });
  await client.query("select set_config('request.jwt.claims', $1, true)", [claims]);
  await client.query(statement, [...values]);
}
