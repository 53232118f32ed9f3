/**
 * The usual way: Fastify with response schemas, Drizzle with prepared statements, jose for each
 * request, checks in code, `select … for update` where two could write. It logs in as the owner of
 * the tables, to whom no policy applies. The triggers of the database write events, notifications
 * and is_claimed for it.
 */
import { and, asc, count, desc, eq, gt, lt, lte, or, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import Fastify from "fastify";
import { createRemoteJWKSet, jwtVerify } from "jose";
import pg from "pg";
import * as schema from "./fastify-schemas.js";
import { availabilities, claims, notifications, profiles, spots, users } from "./fastify-tables.js";

const { DATABASE_URL, AUTH_ISSUER, AUTH_AUDIENCE } = process.env;
const keys = createRemoteJWKSet(new URL(`${AUTH_ISSUER}/jwks`));
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 10 });
const db = drizzle(pool);
const app = Fastify();

class Refusal extends Error {
  constructor(statusCode, message) {
    super(message);
    this.statusCode = statusCode;
  }
}
app.setErrorHandler((error, _request, reply) => {
  const status = error.statusCode ?? 500;
  if (status === 500) console.error(error);
  reply.code(status).send({ error: status === 500 ? "Internal server error" : error.message });
});

const approval = db
  .select({ is_approved: profiles.is_approved, is_admin: profiles.is_admin })
  .from(profiles)
  .where(eq(profiles.id, sql.placeholder("caller")))
  .prepare("approval");

app.decorateRequest("caller", null);
async function authenticate(request) {
  const [, token = ""] = request.headers.authorization?.split(" ") ?? [];
  try {
    const options = { issuer: AUTH_ISSUER, audience: AUTH_AUDIENCE };
    const { payload } = await jwtVerify(token, keys, options);
    request.caller = { id: payload.sub, email: payload.email, isAdmin: false };
  } catch {
    throw new Refusal(401, "Authentication required");
  }
}
async function requireApproved(request) {
  const [account] = await approval.execute({ caller: request.caller.id });
  if (!account?.is_approved) throw new Refusal(403, "Account not approved");
  request.caller.isAdmin = account.is_admin;
}
const signedIn = { onRequest: authenticate };
const approved = { onRequest: [authenticate, requireApproved] };

app.get("/livez", async () => ({ status: "ok" }));

const profileAndUser = db
  .select({ profile: profiles, user: users })
  .from(profiles)
  .innerJoin(users, eq(users.id, profiles.id))
  .where(eq(profiles.id, sql.placeholder("caller")))
  .prepare("profile");
app.get("/api/profile", { ...signedIn, schema: schema.profileAnswer }, async ({ caller }) => {
  const [found] = await profileAndUser.execute({ caller: caller.id });
  if (!found) throw new Refusal(404, "User profile not found");
  if (found.user.email !== caller.email) {
    await db.update(users).set({ email: caller.email }).where(eq(users.id, caller.id));
    [found.user] = await db.select().from(users).where(eq(users.id, caller.id));
  }
  return found;
});

const mine = (column) => eq(column, sql.placeholder("caller"));
const active = sql`count(*) filter (where ${claims.status} = 'active')`.mapWith(Number);
const ownSpots = db.select({ total: count() }).from(spots).where(mine(spots.owner_id));
const countOfSpots = ownSpots.prepare("count_spots");
const countOfActiveSpots = db
  .select({ total: count() })
  .from(availabilities)
  .where(
    and(
      mine(availabilities.owner_id),
      lte(availabilities.start_time, sql`now()`),
      gt(availabilities.end_time, sql`now()`),
    ),
  )
  .prepare("count_active_spots");
const countOfClaims = db
  .select({ total: count(), active })
  .from(claims)
  .where(mine(claims.claimer_id))
  .prepare("count_claims");
const recentSpots = db
  .select()
  .from(spots)
  .where(mine(spots.owner_id))
  .orderBy(desc(spots.created_at), desc(spots.id))
  .limit(5)
  .prepare("recent_spots");
const recentClaims = db
  .select()
  .from(claims)
  .where(mine(claims.claimer_id))
  .orderBy(desc(claims.created_at), desc(claims.id))
  .limit(5)
  .prepare("recent_claims");
app.get("/api/dashboard", { ...approved, schema: schema.dashboardAnswer }, async (request) => {
  const caller = { caller: request.caller.id };
  const [[spotCount], [activeSpots], [claimCount], recent_spots, recent_claims] = await Promise.all(
    [
      countOfSpots.execute(caller),
      countOfActiveSpots.execute(caller),
      countOfClaims.execute(caller),
      recentSpots.execute(caller),
      recentClaims.execute(caller),
    ],
  );
  return {
    stats: {
      total_spots: spotCount.total,
      active_spots: activeSpots.total,
      total_claims: claimCount.total,
      active_claims: claimCount.active,
    },
    recent_spots,
    recent_claims,
  };
});

/** GET of a list: a pair of prepared statements for each set of filters that was given. */
function list(path, { name, table, order, visible, filters, item }) {
  const prepared = new Map();
  function prepare(given, isAdmin) {
    const shape = [isAdmin && "admin", ...given].filter(Boolean).join("_");
    if (!prepared.has(shape)) {
      const conditions = given.map((filter) => eq(table[filter], sql.placeholder(filter)));
      const where = and(isAdmin ? undefined : visible?.(), ...conditions);
      prepared.set(shape, {
        rows: db
          .select()
          .from(table)
          .where(where)
          .orderBy(...order)
          .limit(sql.placeholder("limit"))
          .offset(sql.placeholder("offset"))
          .prepare(`${name}_${shape}_rows`),
        total: db
          .select({ total: count() })
          .from(table)
          .where(where)
          .prepare(`${name}_${shape}_total`),
      });
    }
    return prepared.get(shape);
  }
  app.get(
    path,
    { ...approved, schema: schema.page(name, item, filters) },
    async ({ query, caller }) => {
      const given = Object.keys(filters).filter((filter) => query[filter] !== undefined);
      const { rows, total } = prepare(given, caller.isAdmin);
      const values = { ...query, caller: caller.id };
      const [found, [counted]] = await Promise.all([rows.execute(values), total.execute(values)]);
      return { [name]: found, total: counted.total };
    },
  );
}
list("/api/parking-spots", {
  name: "spots",
  table: spots,
  order: [asc(spots.spot_number), asc(spots.id)],
  filters: schema.spotFilters,
  item: schema.spot,
});
list("/api/availabilities", {
  name: "availabilities",
  table: availabilities,
  order: [asc(availabilities.start_time), asc(availabilities.id)],
  filters: schema.availabilityFilters,
  item: schema.availability,
});
list("/api/claims", {
  name: "claims",
  table: claims,
  order: [desc(claims.start_time), asc(claims.id)],
  visible: () => or(mine(claims.claimer_id), mine(claims.owner_id)),
  filters: schema.claimFilters,
  item: schema.claim,
});
list("/api/notifications", {
  name: "notifications",
  table: notifications,
  order: [desc(notifications.created_at), asc(notifications.id)],
  visible: () => mine(notifications.recipient_id),
  filters: schema.notificationFilters,
  item: schema.notification,
});

const spotById = db
  .select()
  .from(spots)
  .where(eq(spots.id, sql.placeholder("id")))
  .prepare("spot_by_id");
const oneSpot = { ...schema.byId, ...schema.answer({ spot: schema.spot }) };
app.get("/api/parking-spots/:id", { ...approved, schema: oneSpot }, async ({ params }) => {
  const [spot] = await spotById.execute(params);
  if (!spot) throw new Refusal(404, "Parking spot not found");
  return { spot };
});

function checkTimes(start, end) {
  if (start <= new Date()) throw new Refusal(400, "start_time must be in the future");
  if (end <= start) throw new Refusal(400, "end_time must be after start_time");
}

app.post("/api/claims", { ...approved, schema: schema.newClaim }, async (request, reply) => {
  const { caller, body } = request;
  const [start, end] = [new Date(body.start_time), new Date(body.end_time)];
  const claim = await db.transaction(async (tx) => {
    const [window] = await tx
      .select()
      .from(availabilities)
      .where(eq(availabilities.id, body.availability_id))
      .for("update");
    if (!window) throw new Refusal(404, "Availability not found");
    if (window.owner_id === caller.id) {
      throw new Refusal(403, "You cannot claim your own parking spot");
    }
    checkTimes(start, end);
    if (start < window.start_time || end > window.end_time) {
      throw new Refusal(400, "Claim times must be within the availability window");
    }
    if (window.is_claimed) throw new Refusal(400, "This availability has already been claimed");
    const [made] = await tx
      .insert(claims)
      .values({
        availability_id: window.id,
        spot_id: window.spot_id,
        owner_id: window.owner_id,
        claimer_id: caller.id,
        start_time: start,
        end_time: end,
      })
      .returning();
    return made;
  });
  reply.code(201).header("Location", `/api/claims/${claim.id}`);
  return { claim };
});

app.delete(
  "/api/claims/:id",
  { ...approved, schema: schema.byId },
  async ({ caller, params: { id } }) => {
    await db.transaction(async (tx) => {
      const [claim] = await tx.select().from(claims).where(eq(claims.id, id)).for("update");
      if (!claim) throw new Refusal(404, "Claim not found");
      if (claim.claimer_id !== caller.id) {
        throw new Refusal(403, "You can only delete your own claims");
      }
      if (claim.status === "completed") throw new Refusal(400, "Cannot delete a completed claim");
      await tx.delete(claims).where(eq(claims.id, id));
    });
    return { message: "Claim cancelled successfully", deleted_claim_id: id };
  },
);

app.post(
  "/api/availabilities",
  { ...approved, schema: schema.newAvailability },
  async (request, reply) => {
    const { caller, body } = request;
    const [start, end] = [new Date(body.start_time), new Date(body.end_time)];
    const availability = await db.transaction(async (tx) => {
      const [spot] = await tx.select().from(spots).where(eq(spots.id, body.spot_id)).for("update");
      if (!spot) throw new Refusal(404, "Parking spot not found");
      if (spot.owner_id !== caller.id) {
        throw new Refusal(403, "You can only create availabilities for your own spots");
      }
      checkTimes(start, end);
      const [overlap] = await tx
        .select({ id: availabilities.id })
        .from(availabilities)
        .where(
          and(
            eq(availabilities.spot_id, spot.id),
            lt(availabilities.start_time, end),
            gt(availabilities.end_time, start),
          ),
        )
        .limit(1);
      if (overlap) {
        throw new Refusal(409, "Availability overlaps an existing availability of this spot");
      }
      const [made] = await tx
        .insert(availabilities)
        .values({ spot_id: spot.id, owner_id: caller.id, start_time: start, end_time: end })
        .returning();
      return made;
    });
    reply.code(201).header("Location", `/api/availabilities/${availability.id}`);
    return { availability };
  },
);

console.error(await app.listen({ port: 0, host: "127.0.0.1" }));
