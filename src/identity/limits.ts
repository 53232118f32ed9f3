import type { Middleware } from "koa";
import { MOUNT_PATH } from "../config/own-issuer.ts";
import { countInMemory, limitOf } from "../limits/limits.ts";
import { bucketOf } from "../limits/strangers.ts";
import { addressOf, type ReaderOf, showPage } from "./frame.ts";
import { messagePage } from "./pages.ts";

const MINUTE = 60;

/** The provider's router takes it in capitals, too, and with a slash at the end. */
const BEGINNING = new RegExp(`^${MOUNT_PATH}/auth/?$`, "i");

/**
 * Bounds what an unknown client makes the database read, and write: each sign-in that begins is a
 * row. A building has few, and one network may be that of all its people. Each process counts in its
 * own memory; what causes mails and guesses is counted in the database.
 * @param perMinute how many may begin from one network
 */
export function limitRequests(perMinute: number, readerOf: ReaderOf): Middleware {
  const requests = limitOf("requests", 5 * perMinute, MINUTE);
  const beginning = limitOf("sign-ins of a network", perMinute, MINUTE);
  const allBeginning = limitOf("sign-ins", 10 * perMinute, MINUTE);
  const counter = countInMemory();
  return async (ctx, next) => {
    const network = bucketOf(addressOf(ctx));
    const standings = [...counter.charge(requests, network, 1)];
    if (BEGINNING.test(ctx.path)) {
      standings.push(...counter.charge(beginning, network, 1));
      // One network cannot use up what is for all.
      if (standings.every(({ isExceeded }) => !isExceeded))
        standings.push(...counter.charge(allBeginning, "", 1));
    }
    if (standings.some(({ isExceeded }) => isExceeded)) {
      ctx.set("Retry-After", String(MINUTE));
      ctx.status = 429;
      const reader = await readerOf(ctx);
      const { failed, wait } = reader.texts;
      showPage(ctx, messagePage(reader, failed, wait(1)));
      return;
    }
    await next();
  };
}
