import type { Context } from "koa";
import type Provider from "oidc-provider";
import type { Endpoint, Entry } from "../http/router.ts";
import type { Asking, Codes } from "./codes.ts";
import type { Account } from "./configuration.ts";
import { createDevices } from "./device.ts";
import { again, INTERACTION_PATH, type ReaderOf, readForm, showPage } from "./frame.ts";
import { addressPage, codePage } from "./pages.ts";
import type { Passkeys } from "./passkeys.ts";
import type { Secret } from "./secret.ts";

export interface SignInParts {
  readonly provider: Provider;
  readonly codes: Codes;
  readonly passkeys: Passkeys;
  readonly secret: Secret;
  readonly readerOf: ReaderOf;
}

/** The pages that ask for an address, and for the code that was mailed there. */
export function signInEntries(parts: SignInParts): readonly Entry[] {
  const { provider, codes, passkeys, secret, readerOf } = parts;
  const devices = createDevices(secret);

  /** Throws for a browser that did not begin this sign-in: its cookie is missing. */
  const interactionOf = async (ctx: Context): Promise<string> =>
    (await provider.interactionDetails(ctx.req, ctx.res)).jti;

  const askingOf = (ctx: Context, id: string, address: string): Asking => ({
    ctx,
    id,
    isKnown: devices.knows(ctx, address),
  });

  const show: Endpoint = async (ctx) => {
    const interaction = await interactionOf(ctx);
    const address = await codes.addressOf(interaction);
    if (address === undefined) return askAddress(ctx, interaction);
    showPage(ctx, codePage(await readerOf(ctx), address));
  };

  async function askAddress(ctx: Context, interaction: string, typed?: string, reason?: string) {
    const options = passkeys.optionsFor(interaction);
    showPage(ctx, addressPage(await readerOf(ctx), options, typed, reason));
  }

  /** Goes on with the sign-in of a person who said who they are. */
  async function enter(ctx: Context, { id, email }: Account): Promise<void> {
    devices.mark(ctx, email);
    const result = { login: { accountId: id } };
    ctx.status = 303;
    ctx.redirect(await provider.interactionResult(ctx.req, ctx.res, result));
  }

  async function request(ctx: Context, interaction: string, typed: string): Promise<void> {
    const address = typed.trim().toLowerCase();
    const refusal = await codes.mail(askingOf(ctx, interaction, address), address);
    if (refusal === undefined) return again(ctx);
    ctx.status = refusal.status;
    // The code before may still be in use.
    if ((await codes.addressOf(interaction)) !== address)
      return askAddress(ctx, interaction, typed, refusal.reason);
    showPage(ctx, codePage(await readerOf(ctx), address, refusal.reason));
  }

  async function tryCode(ctx: Context, interaction: string, code: string): Promise<void> {
    const address = await codes.addressOf(interaction);
    if (address === undefined) return again(ctx);
    const tried = await codes.signIn(askingOf(ctx, interaction, address), code);
    if ("id" in tried) return enter(ctx, tried);
    ctx.status = tried.status;
    showPage(ctx, codePage(await readerOf(ctx), address, tried.reason));
  }

  async function tryPasskey(ctx: Context, interaction: string, signed: string): Promise<void> {
    const account = await passkeys.signIn(interaction, parsed(signed));
    if (account) return enter(ctx, account);
    ctx.status = 400;
    const { texts } = await readerOf(ctx);
    await askAddress(ctx, interaction, undefined, texts.noPasskey);
  }

  const answer: Endpoint = async (ctx) => {
    const form = await readForm(ctx);
    const interaction = await interactionOf(ctx);
    const [email, code, signed] = ["email", "code", "passkey"].map((name) => form.get(name));
    if (email != null) return request(ctx, interaction, email);
    if (code != null) return tryCode(ctx, interaction, code);
    if (signed != null) return tryPasskey(ctx, interaction, signed);
    return askAddress(ctx, interaction);
  };

  return [
    { method: "GET", path: INTERACTION_PATH, answer: show },
    { method: "POST", path: INTERACTION_PATH, answer },
  ];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
