import type { Context } from "koa";
import type { Pool } from "pg";
import type { Route } from "../../contract/route.ts";
import { Nothing } from "../../contract/schemas.ts";
import { callAs, type Step } from "../../database/transaction.ts";
import { conditionOf } from "../../http/conditions.ts";
import type { Endpoint } from "../../http/router.ts";
import { mayLast } from "../../http/server.ts";
import { callerOf, type RequestState } from "../../tokens/identity.ts";
import { requirementOf } from "../statements.ts";
import { textValidator } from "../validation.ts";
import { type EventStreams, UNKNOWN } from "./streams.ts";

interface Parts {
  readonly pool: Pool;
  readonly streams: EventStreams;
}

const headers = {
  // Proxies that compress would keep events until a block is full.
  "Cache-Control": "private, no-store, no-transform",
  "X-Accel-Buffering": "no", // nginx
  Connection: "close", // so that a stop need not wait for the client to close it
};

/** Answers with a stream: what happens from now on, or since the Last-Event-ID of the request. */
export function streamEndpoint(route: Route, { pool, streams }: Parts): Endpoint<RequestState> {
  const latest: Step = {
    name: route.call,
    text: `select "position" from api.${route.call}()`,
    isShort: true,
    values: [],
  };
  const steps = [...requirementOf(route), latest];
  const checkQuery = textValidator(Nothing);

  return async (ctx) => {
    conditionOf(ctx);
    checkQuery(ctx.query);
    const { identity } = ctx.state;
    const isGone = () => ctx.socket.destroyed;
    const call = { kind: "read", steps, row: callerOf(identity), isGone } as const;
    const results = await callAs(pool, JSON.stringify(identity), call);
    const position = Number(results.at(-1)?.[0]?.[0]);

    if (ctx.method === "HEAD") return begin(ctx);
    if (isGone()) return;
    streams.open({
      person: callerOf(identity),
      authorization: ctx.req.headers.authorization,
      latest: position,
      after: positionOf(ctx.req.headers["last-event-id"]),
      begin: () => {
        begin(ctx);
        ctx.respond = false;
        mayLast(ctx.res);
        ctx.res.flushHeaders();
        return ctx.res;
      },
    });
  };
}

function begin(ctx: Pick<Context, "set" | "type" | "status">): void {
  ctx.set(headers);
  ctx.type = "text/event-stream";
  ctx.status = 200;
}

/** What is no position of this log is one that it does not have: the stream says so. */
const positionOf = (given: string | string[] | undefined): number | undefined =>
  given === undefined || given === ""
    ? undefined
    : POSITION.test(String(given))
      ? Number(given)
      : UNKNOWN;

const POSITION = /^\d{1,15}$/;
