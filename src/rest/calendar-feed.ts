import { hash } from "node:crypto";
import type { Context, Middleware } from "koa";
import { LRUCache } from "lru-cache";
import type { Pool } from "pg";
import { calendar } from "../contract/calendar.ts";
import { CALENDAR_FEED_PATH } from "../contract/routes.ts";
import { circuitBreakerOf } from "../database/circuit-breaker.ts";
import { callAs, type Row, type Step } from "../database/transaction.ts";
import type { RuleCatalogue } from "../errors/catalogue.ts";
import { Problem } from "../errors/problem.ts";
import { conditionOf, entityTag, lists, REVALIDATED } from "../http/conditions.ts";
import { countInMemory, limitOf, rateOf } from "../limits/counters.ts";
import type { RateLimits } from "../limits/limits.ts";
import { bucketOf } from "../limits/refused-tokens.ts";
import { version } from "../version.ts";
import { CALENDAR_TYPE } from "./calendar.ts";
import { answerOf } from "./outcome.ts";

/** As sql/calendar_feeds/create_calendar_feed.sql makes it. */
const SECRET = /^[\w-]{43}$/;

/** The feeds that are known to be there need no more memory than this many hashes. */
const MOST_REMEMBERED = 5_000;

const methods = ["HEAD", "GET"];

export interface CalendarFeedParts {
  readonly basePath: string;
  readonly pool: Pool;
  readonly rules: RuleCatalogue;
  readonly limits: Pick<RateLimits, "chargeFeed">;
  /** How many unknown secrets an address may send in a minute. */
  readonly unknownPerMinute: number;
}

/**
 * Gives somebody's calendar to an app that knows the secret, and has no token. The secret is in the
 * query, which the log leaves out, under a name that OpenTelemetry redacts; only its hash goes to the
 * database.
 */
export function calendarFeed(parts: CalendarFeedParts): Middleware {
  const { basePath, pool, rules, limits, unknownPerMinute } = parts;
  const path = basePath + CALENDAR_FEED_PATH;
  const answer = answerOf(calendar);
  const breaker = circuitBreakerOf(pool, "claims");
  const limit = limitOf("unknown-feeds", unknownPerMinute, 60);
  const counter = countInMemory();
  const known = new LRUCache<string, true>({ max: MOST_REMEMBERED });

  /** From memory: an unknown client must not make the database write. */
  const chargeAddress = (ctx: Context, points: number) =>
    void rateOf(counter.charge(limit, bucketOf(ctx.ip), points));

  const read = (secretHash: string, isGone: () => boolean) => {
    const steps = [enter(secretHash), ...answer.steps({})];
    const call = { readOnly: true, steps };
    return breaker(
      (mayWaitLong) => callAs(pool, "", call, { row: secretHash, isGone, mayWaitLong }),
      "read",
    );
  };

  return async (ctx, next) => {
    if (ctx.path !== path) return next();
    if (!methods.includes(ctx.method)) return refuseMethod(ctx);
    const condition = conditionOf(ctx, "If-None-Match");
    const secretHash = hashOf(ctx.query.sig);
    // Apps of many people may have one address, so who sends unknown secrets does not stop the others.
    if (known.has(secretHash)) await limits.chargeFeed(ctx, secretHash);
    else chargeAddress(ctx, 0);

    const [feed, ...rows] = secretHash ? await read(secretHash, () => ctx.socket.destroyed) : [];
    const language = languageOf(feed);
    if (language === undefined) {
      known.delete(secretHash);
      chargeAddress(ctx, 1);
      throw new Problem("not_found", {
        message: (await rules.all()).absences.get("calendar_feeds"),
      });
    }
    known.set(secretHash, true);

    // What the calendar is made of: an app that has it does not make us write it.
    const tag = entityTag(JSON.stringify([version, language, rows]));
    ctx.set({ ETag: tag, "Cache-Control": REVALIDATED });
    ctx.type = CALENDAR_TYPE;
    if (condition !== undefined && lists(condition, tag)) ctx.status = 304;
    else ctx.body = answer.write(rows, { language })?.body;
  };
}

const enter = (secretHash: string): Step => ({
  name: "enter_calendar_feed",
  text: "select private.enter_calendar_feed($1)",
  isShort: true,
  values: [`\\x${secretHash}`],
});

/** The feed of a secret, if there is one, has a language. */
const languageOf = (rows: readonly Row[] | undefined): string | undefined =>
  rows?.[0]?.[0] ?? undefined;

/** Empty for what is no secret. */
const hashOf = (secret: string | string[] | undefined): string =>
  typeof secret === "string" && SECRET.test(secret) ? hash("sha256", secret, "hex") : "";

function refuseMethod(ctx: Context): void {
  ctx.set("Allow", methods.join(", "));
  ctx.status = ctx.method === "OPTIONS" ? 200 : 405;
  if (ctx.method === "OPTIONS") ctx.body = "";
}
