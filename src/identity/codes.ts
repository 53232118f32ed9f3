import { randomInt } from "node:crypto";
import type { Context } from "koa";
import type { Pool } from "pg";
import { isMailbox } from "../formats.ts";
import { networkOf } from "../limits/strangers.ts";
import { hashOf } from "./adapter.ts";
import type { Account } from "./configuration.ts";
import type { CountSignIns } from "./counts.ts";
import { addressOf, type ReaderOf } from "./frame.ts";
import type { Secret } from "./secret.ts";
import { codeMailOf, type MailSender } from "./sending.ts";

/** Somebody who asks for a code or types one. */
export interface Asking {
  readonly ctx: Context;
  /** The id of the sign-in or, for a change of the address, of the session: only this browser has it. */
  readonly id: string;
  /** Whether this address was signed in before in the browser. */
  readonly isKnown: boolean;
}

/** Why a page is shown again. */
export interface Refusal {
  readonly status: number;
  readonly reason: string;
}

export interface Codes {
  /** Mails a code after the answer, for a change of the address to both; or says why not. */
  mail(asking: Asking, address: string, newAddress?: string): Promise<Refusal | undefined>;
  /** The person whose code it is, or why it is of no use. */
  signIn(asking: Asking, code: string): Promise<Account | Refusal>;
  /**
   * Changes the address of an account, where the codes from both mailboxes are right; or says why not.
   *
   * @param kept the hashes of what stays signed in
   */
  changeAddress(
    asking: Asking,
    account: Account,
    codes: readonly [code: string, newCode: string],
    kept: readonly Buffer[],
  ): Promise<Refusal | undefined>;
  /** The address that the code of a sign-in proves, or to which a change leads. */
  addressOf(id: string): Promise<string | undefined>;
}

interface Refused {
  readonly outcome: keyof typeof refusedEvents;
  /** In seconds. */
  readonly wait: number | null;
}

/** What the metrics count. */
const refusedEvents = {
  wrong: "code_wrong",
  ended: "code_wrong",
  taken: "code_wrong",
  wait: "guess_refused",
  early: "guess_refused",
} as const;

type Tried = Refused | { outcome: "right"; account_id: string; address: string };

const minutesOf = (seconds: number | null): number => Math.ceil((seconds ?? 0) / 60);

export interface CodesParts {
  readonly pool: Pool;
  readonly secret: Secret;
  readonly sender: MailSender;
  readonly count: CountSignIns;
  readonly readerOf: ReaderOf;
}

export function createCodes({ pool, secret, sender, count, readerOf }: CodesParts): Codes {
  /** People may type a code in groups. Both codes of a change are compared as one. */
  const signed = (id: string, ...codes: readonly string[]) =>
    secret.sign("code", id, ...codes.map((code) => code.replaceAll(/\s/g, "")));

  const networkIn = (ctx: Context) => networkOf(addressOf(ctx));

  async function attempt(sql: string, values: readonly unknown[]): Promise<Tried> {
    const { rows } = await pool.query<Tried>(`select * from identity.${sql}`, [...values]);
    const tried = rows[0] ?? { outcome: "ended", wait: null };
    count(tried.outcome === "right" ? "code_right" : refusedEvents[tried.outcome]);
    return tried;
  }

  async function refusalOf(ctx: Context, { outcome, wait }: Refused): Promise<Refusal> {
    const { texts } = await readerOf(ctx);
    switch (outcome) {
      case "wait":
        return { status: 429, reason: texts.wait(minutesOf(wait)) };
      case "early":
        return { status: 400, reason: texts.opens(Math.ceil(minutesOf(wait) / 60)) };
      case "taken":
        return { status: 409, reason: texts.change.isTaken };
      default:
        return { status: 400, reason: texts[outcome] };
    }
  }

  return {
    async mail({ ctx, id, isKnown }, address, newAddress) {
      const reader = await readerOf(ctx);
      const { texts } = reader;
      const addresses = [address, newAddress].filter((it) => it !== undefined);
      if (!isMailbox(newAddress ?? address)) return { status: 400, reason: texts.noAddress };
      if (!sender.hasRoom()) return { status: 503, reason: texts.busy };
      const codes = addresses.map(() => String(randomInt(1_000_000)).padStart(6, "0"));
      const { rows } = await pool.query<{ wait: number | null }>(
        "select identity.request_code($1, $2, $3, $4, $5, $6) as wait",
        [hashOf(id), signed(id, ...codes), networkIn(ctx), isKnown, address, newAddress],
      );
      const wait = rows[0]?.wait;
      count(wait ? "code_refused" : "code_requested");
      if (wait) return { status: 429, reason: texts.wait(minutesOf(wait)) };
      const { mail } = newAddress === undefined ? texts : texts.change;
      ctx.res.once("close", () => {
        for (const [i, to] of addresses.entries())
          sender.send(codeMailOf(to, codes[i] ?? "", mail, reader));
      });
      return undefined;
    },
    async signIn({ ctx, id, isKnown }, code) {
      const values = [hashOf(id), signed(id, code), networkIn(ctx), isKnown];
      const tried = await attempt("try_code($1, $2, $3, $4)", values);
      if (tried.outcome !== "right") return refusalOf(ctx, tried);
      return { id: tried.account_id, email: tried.address };
    },
    async changeAddress({ ctx, id }, account, codes, kept) {
      const values = [account.id, hashOf(id), signed(id, ...codes), networkIn(ctx), kept];
      const tried = await attempt("change_address($1, $2, $3, $4, $5)", values);
      if (tried.outcome === "right") return undefined;
      const refusal = await refusalOf(ctx, tried);
      const { texts } = await readerOf(ctx);
      return tried.outcome === "wrong" ? { ...refusal, reason: texts.change.wrong } : refusal;
    },
    async addressOf(id) {
      const { rows } = await pool.query<{ address: string | null }>(
        "select identity.pending_address($1) as address",
        [hashOf(id)],
      );
      return rows[0]?.address ?? undefined;
    },
  };
}
