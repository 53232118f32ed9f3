import { hash } from "node:crypto";
import type { Context, Middleware } from "koa";
import type { Pool } from "pg";
import { callAs } from "../database/transaction.ts";
import { type Html, html, htmlPage } from "../http/html.ts";
import { refuseMethod } from "../http/methods.ts";
import type { RateLimits } from "../limits/limits.ts";
import { limitSecrets } from "../limits/secrets.ts";
import { UNSUBSCRIBE_PATH } from "../mail/mailer.ts";
import { type Language, languages } from "../texts/kinds.ts";
import { mailTexts } from "../texts/mail.ts";
import { unsubscribePolicy } from "./policy.ts";

export interface UnsubscribeParts {
  readonly basePath: string;
  readonly pool: Pool;
  readonly limits: Pick<RateLimits, "chargeSecret">;
  /** How many unknown keys an address may send in a minute. */
  readonly unknownPerMinute: number;
}

/** As sql/mail_key/unsubscribe.sql reads it. */
const KEY = /^[\w-]{43}$/;

const METHODS = ["HEAD", "GET", "POST"];

/**
 * Ends somebody's mails without a token (RFC 8058): mail programs send the POST. A GET changes
 * nothing, for programs open every link before people do; it shows a button.
 */
export function unsubscribing(parts: UnsubscribeParts): Middleware {
  const { basePath, pool, limits, unknownPerMinute } = parts;
  const path = basePath + UNSUBSCRIBE_PATH;
  const charged = limitSecrets({ name: "unknown-mail-keys", limits, unknownPerMinute });

  async function end(ctx: Context): Promise<boolean> {
    const { sig } = ctx.query;
    const key = typeof sig === "string" ? sig : "";
    const keyHash = hash("sha256", key, "hex");
    const ended = await charged(ctx, keyHash, async () => {
      if (!KEY.test(key)) return undefined;
      const call = { readOnly: false, steps: [unsubscribe(key)] };
      const [rows] = await callAs(pool, "", call, { row: keyHash });
      return rows?.[0]?.[0] === "t" ? { gives: `mail of ${keyHash}` } : undefined;
    });
    return ended !== undefined;
  }

  return async (ctx, next) => {
    if (ctx.path !== path) return next();
    const language = languages.find((it) => it === ctx.query.language) ?? languages[0];
    const { question, button, done, unknown } = mailTexts[language].ending;
    ctx.set({ "Cache-Control": "no-store", "Content-Security-Policy": unsubscribePolicy });
    ctx.type = "html";
    if (ctx.method === "GET" || ctx.method === "HEAD") {
      const form = html`<form method="post"><button>${button}</button></form>`;
      ctx.body = page(language, html`<p>${question}</p>\n${form}`);
    } else if (ctx.method === "POST") {
      const isEnded = await end(ctx);
      ctx.status = isEnded ? 200 : 404;
      ctx.body = page(language, html`<p>${isEnded ? done : unknown}</p>`);
    } else refuseMethod(ctx, METHODS);
  };
}

const unsubscribe = (key: string) => ({
  name: "unsubscribe",
  text: "select private.unsubscribe($1)",
  values: [key],
});

function page(language: Language, content: Html): string {
  const { title } = mailTexts[language].ending;
  return htmlPage({ language, title, heading: title, content });
}
