import { hash } from "node:crypto";
import type { Context } from "koa";
import type { Pool } from "pg";
import { callAs } from "../database/transaction.ts";
import { type Html, html, htmlPage } from "../http/html.ts";
import type { Endpoint, Entry } from "../http/router.ts";
import type { RateLimits } from "../limits/limits.ts";
import { limitSecrets } from "../limits/strangers.ts";
import { UNSUBSCRIBE_PATH } from "../mail/mailer.ts";
import { languages } from "../texts/kinds.ts";
import { type MailTexts, mailTexts } from "../texts/mail.ts";
import { unsubscribePolicy } from "./policy.ts";

export interface UnsubscribeParts {
  readonly basePath: string;
  readonly pool: Pool;
  readonly limits: Pick<RateLimits, "chargeSecret">;
  /** The number of unknown keys that an address may send in a minute. */
  readonly unknownPerMinute: number;
}

/** sql/mail_key/unsubscribe.sql has the same form. */
const KEY = /^[\w-]{43}$/;

/**
 * Ends a person's mails without a token (RFC 8058): mail programs send the POST. A GET shows a
 * button and changes nothing, because programs open every link before people do.
 */
export function unsubscribing(parts: UnsubscribeParts): readonly Entry[] {
  const { basePath, pool, limits, unknownPerMinute } = parts;
  const path = basePath + UNSUBSCRIBE_PATH;
  const charged = limitSecrets({ name: "unknown-mail-keys", limits, unknownPerMinute });

  async function end(ctx: Context): Promise<boolean> {
    const { sig } = ctx.query;
    const key = typeof sig === "string" ? sig : "";
    const keyHash = hash("sha256", key, "hex");
    const ended = await charged(ctx, keyHash, async () => {
      if (!KEY.test(key)) return undefined;
      const call = { kind: "write", steps: [unsubscribe(key)], row: keyHash } as const;
      const [rows] = await callAs(pool, "", call);
      return rows?.[0]?.[0] === "t" ? { gives: `mail of ${keyHash}` } : undefined;
    });
    return ended !== undefined;
  }

  const ask: Endpoint = (ctx) =>
    show(ctx, ({ question, button }) => {
      const form = html`<form method="post"><button>${button}</button></form>`;
      return html`<p>${question}</p>\n${form}`;
    });
  const answer: Endpoint = async (ctx) => {
    const isEnded = await end(ctx);
    show(ctx, ({ done, unknown }) => html`<p>${isEnded ? done : unknown}</p>`);
    ctx.status = isEnded ? 200 : 404;
  };
  return [
    { method: "GET", path, answer: ask },
    { method: "POST", path, answer },
  ];
}

const unsubscribe = (key: string) => ({
  name: "unsubscribe",
  text: "select private.unsubscribe($1)",
  values: [key],
});

/** Shows a page in the language of the mail. */
function show(ctx: Context, write: (texts: MailTexts["ending"]) => Html): void {
  const language = languages.find((it) => it === ctx.query.language) ?? languages[0];
  const { ending } = mailTexts[language];
  ctx.set({ "Cache-Control": "no-store", "Content-Security-Policy": unsubscribePolicy });
  ctx.type = "html";
  const { title } = ending;
  ctx.body = htmlPage({ language, title, heading: title, content: write(ending) });
}
