import { hash } from "node:crypto";
import type { Pool } from "pg";
import type { Route } from "../contract/route.ts";
import { callAs, type Step } from "../database/transaction.ts";
import type { RuleCatalogue } from "../errors/catalogue.ts";
import { Problem } from "../errors/problem.ts";
import { conditionOf, entityTag, lists, REVALIDATED } from "../http/conditions.ts";
import type { Endpoint } from "../http/router.ts";
import type { RateLimits } from "../limits/limits.ts";
import { limitSecrets } from "../limits/strangers.ts";
import { version } from "../version.ts";
import { CALENDAR_TYPE } from "./calendar.ts";
import { exchangeOf } from "./operation.ts";

/** As sql/calendar_feeds/create_calendar_feed.sql makes it. */
const SECRET = /^[\w-]{43}$/;

interface CalendarFeedParts {
  readonly pool: Pool;
  readonly rules: RuleCatalogue;
  readonly limits: Pick<RateLimits, "chargeSecret">;
  /** How many unknown secrets an address may send in a minute. */
  readonly unknownPerMinute: number;
}

/**
 * Gives somebody's calendar to an app that knows the secret, and has no token. The secret is in the
 * query, which the log leaves out, under a name that OpenTelemetry redacts; only its hash goes to the
 * database.
 */
export function feedEndpoint(
  route: Route,
  { pool, rules, limits, unknownPerMinute }: CalendarFeedParts,
): Endpoint {
  const calendar = exchangeOf(route);
  const charged = limitSecrets({ name: "unknown-feeds", limits, unknownPerMinute });

  const read = async (secretHash: string, isGone: () => boolean) => {
    const steps = [enter(secretHash), ...calendar.steps({})];
    // It reads two tables, and neither is locked because the other is.
    const call = { kind: "read", steps, row: secretHash, table: route.path, isGone } as const;
    const [feed, ...rows] = await callAs(pool, "", call);
    const [language, owner] = feed?.[0] ?? [];
    if (language == null) return undefined;
    return { language, rows, gives: `feed of ${owner}` }; // another secret of theirs gives the same
  };

  return async (ctx) => {
    const condition = conditionOf(ctx, "If-None-Match");
    const secretHash = hashOf(ctx.query.sig);
    const feed = await charged(ctx, secretHash, async () =>
      secretHash ? read(secretHash, () => ctx.socket.destroyed) : undefined,
    );
    if (feed === undefined) {
      throw new Problem("not_found", {
        message: (await rules.forStrangers()).absences.get("calendar_feeds"),
      });
    }

    const { language, rows } = feed;
    // What the calendar is made of: an app that has it does not make us write it.
    const tag = entityTag(JSON.stringify([version, language, rows]));
    ctx.set({ ETag: tag, "Cache-Control": REVALIDATED });
    ctx.type = CALENDAR_TYPE;
    if (condition !== undefined && lists(condition, tag)) ctx.status = 304;
    else ctx.body = calendar.render(rows, { language })?.body;
  };
}

/** A feed that is there has a language. */
const enter = (secretHash: string): Step => ({
  name: "enter_calendar_feed",
  text: "select f.language, private.caller_id() from private.enter_calendar_feed($1) as f (language)",
  isShort: true,
  values: [`\\x${secretHash}`],
});

/** Empty for what is no secret. */
const hashOf = (secret: string | string[] | undefined): string =>
  typeof secret === "string" && SECRET.test(secret) ? hash("sha256", secret, "hex") : "";
