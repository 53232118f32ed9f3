import { invalidField, Problem } from "../errors/problem.ts";
import { isJsonObject, isOneLine, isUuid } from "../formats.ts";
import { readJsonBody } from "../http/request.ts";
import type { Endpoint, Entry } from "../http/router.ts";
import type { RequestState } from "../tokens/identity.ts";
import { tokenRefused } from "../tokens/verifier.ts";
import type { Account } from "./configuration.ts";
import type { ReaderOf } from "./frame.ts";
import type { Passkeys } from "./passkeys.ts";
import { letterOf, type MailSender } from "./sending.ts";

export interface PasskeyParts {
  readonly passkeys: Passkeys;
  readonly accountOf: (id: string) => Promise<Account | undefined>;
  readonly sender: MailSender;
  readonly readerOf: ReaderOf;
}

type State = Endpoint<RequestState>;
type Ctx = Parameters<State>[0];

const LONGEST_NAME = 60;

/**
 * The passkeys of the caller, below the base path of the API. They are no part of the contract:
 * only a browser at the page can make one, and only where people sign in by mail.
 */
export function passkeyEntries(parts: PasskeyParts): readonly Entry<RequestState>[] {
  const { passkeys, accountOf, sender, readerOf } = parts;

  async function callerOf(ctx: Ctx): Promise<Account> {
    const account = await accountOf(ctx.state.identity.sub ?? "");
    if (account === undefined) throw new Problem("not_found");
    return account;
  }

  /** Access tokens last up to an hour after the sign-in that gave them was ended. */
  async function changerOf(ctx: Ctx): Promise<Account> {
    const account = await callerOf(ctx);
    if (account.signedOutAt && issuedAt(ctx) <= account.signedOutAt)
      throw tokenRefused(new Error("the sign-in was ended"));
    return account;
  }

  /** The person hears of it by mail, because another who uses their browser could do it too. */
  async function tell(ctx: Ctx, to: string, event: "added" | "removed", name: string) {
    const reader = await readerOf(ctx);
    const { passkeyMail } = reader.texts;
    const sentence = passkeyMail[event](name, reader.name);
    sender.send(letterOf(to, { sentence, warning: passkeyMail.warning }, reader));
  }

  const list: State = async (ctx) => {
    const { id } = await callerOf(ctx);
    ctx.set("Cache-Control", "no-store");
    ctx.body = { passkeys: await passkeys.list(id) };
  };
  const begin: State = async (ctx) => {
    const account = await changerOf(ctx);
    const { name } = await readerOf(ctx);
    ctx.set("Cache-Control", "no-store");
    ctx.body = { options: await passkeys.newOptionsFor(account, name) };
  };
  const add: State = async (ctx) => {
    const account = await changerOf(ctx);
    const body = await readJsonBody(ctx);
    const { name, credential } = isJsonObject(body) ? body : {};
    if (typeof name !== "string" || !isOneLine(name, LONGEST_NAME))
      throw invalidField("name", NAME);
    const passkey = await passkeys.add(account, issuedAt(ctx), name, credential);
    await tell(ctx, account.email, "added", name);
    ctx.status = 201;
    ctx.body = { passkey };
  };
  const remove: State = async (ctx) => {
    const { id, email } = await changerOf(ctx);
    const { id: passkeyId = "" } = ctx.params;
    const name = isUuid(passkeyId) ? await passkeys.remove(id, passkeyId) : undefined;
    if (name === undefined) throw new Problem("not_found");
    await tell(ctx, email, "removed", name);
    ctx.body = { message: "Passkey removed successfully", deleted_passkey_id: passkeyId };
  };

  return [
    { method: "GET", path: "/passkeys", answer: list },
    { method: "POST", path: "/passkeys", answer: add },
    { method: "POST", path: "/passkeys/options", answer: begin },
    { method: "DELETE", path: "/passkeys/:id", answer: remove },
  ];
}

/** It is in whole seconds, rounded down. */
const issuedAt = ({ state }: Ctx): Date => new Date((state.identity.iat ?? 0) * 1_000);

const NAME = `must be one line of 1 to ${LONGEST_NAME} characters`;
