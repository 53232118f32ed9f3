import type { Context } from "koa";
import type Provider from "oidc-provider";
import { isMailbox } from "../formats.ts";
import type { Endpoint, Entry } from "../http/router.ts";
import { networkOf } from "../limits/strangers.ts";
import { signInTexts } from "../texts/sign-in.ts";
import type { Asking, Codes, Tried } from "./codes.ts";
import type { Account } from "./configuration.ts";
import type { CountSignIns } from "./counts.ts";
import { createDevices } from "./device.ts";
import { addressOf, again, INTERACTION_PATH, type ReaderOf, readForm, showPage } from "./frame.ts";
import { addressPage, codePage, type Reader } from "./pages.ts";
import type { Passkeys } from "./passkeys.ts";
import type { Secret } from "./secret.ts";
import { codeMailOf, type MailSender } from "./sending.ts";

export interface SignInParts {
  readonly provider: Provider;
  readonly codes: Codes;
  readonly passkeys: Passkeys;
  readonly sender: MailSender;
  readonly secret: Secret;
  readonly count: CountSignIns;
  readonly readerOf: ReaderOf;
}

/** The pages that ask for an address, and for the code that was mailed there. */
export function signInEntries(parts: SignInParts): readonly Entry[] {
  const { provider, codes, passkeys, sender, secret, count, readerOf } = parts;
  const devices = createDevices(secret);

  /** Throws for a browser that did not begin this sign-in: its cookie is missing. */
  const interactionOf = async (ctx: Context): Promise<string> =>
    (await provider.interactionDetails(ctx.req, ctx.res)).jti;

  const askingOf = (ctx: Context, interaction: string, address: string): Asking => ({
    interaction,
    network: networkOf(addressOf(ctx)),
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
    const reader = await readerOf(ctx);
    const texts = signInTexts[reader.language];
    const address = typed.trim().toLowerCase();
    const refuse = async (status: number, reason: string): Promise<void> => {
      ctx.status = status;
      // The code before may still be in use.
      if ((await codes.addressOf(interaction)) === address)
        return showPage(ctx, codePage(reader, address, reason));
      return askAddress(ctx, interaction, typed, reason);
    };
    if (!isMailbox(address)) return refuse(400, texts.noAddress);
    if (!sender.hasRoom()) return refuse(503, texts.busy);
    const given = await codes.request(askingOf(ctx, interaction, address), address);
    count("waitSeconds" in given ? "code_refused" : "code_requested");
    if ("waitSeconds" in given) return refuse(429, texts.wait(minutesOf(given.waitSeconds)));
    const { language, name: building = texts.building } = reader;
    const mail = codeMailOf({ to: address, code: given.code, language, building });
    ctx.res.once("close", () => sender.send(mail));
    again(ctx);
  }

  async function tryCode(ctx: Context, interaction: string, form: URLSearchParams): Promise<void> {
    const address = await codes.addressOf(interaction);
    if (address === undefined) return again(ctx);
    const asking = askingOf(ctx, interaction, address);
    const tried = await codes.try(asking, typedIn(form, "code"));
    if (typeof tried === "object" && "accountId" in tried) {
      count("code_right");
      return enter(ctx, { id: tried.accountId, email: tried.address });
    }
    count(typeof tried === "object" ? "guess_refused" : "code_wrong");
    const reader = await readerOf(ctx);
    ctx.status = typeof tried === "object" && "waitSeconds" in tried ? 429 : 400;
    showPage(ctx, codePage(reader, address, refusalOf(tried, reader)));
  }

  async function tryPasskey(ctx: Context, interaction: string, signed: string): Promise<void> {
    const account = await passkeys.signIn(interaction, parsed(signed));
    if (account) return enter(ctx, account);
    ctx.status = 400;
    const { language } = await readerOf(ctx);
    await askAddress(ctx, interaction, undefined, signInTexts[language].noPasskey);
  }

  const answer: Endpoint = async (ctx) => {
    if (!isOwnForm(ctx)) ctx.throw(403, "The form was sent by another page.");
    const interaction = await interactionOf(ctx);
    const form = await readForm(ctx);
    const email = form.get("email");
    if (email !== null) return request(ctx, interaction, email);
    if (form.has("code")) return tryCode(ctx, interaction, form);
    const signed = form.get("passkey");
    if (signed !== null) return tryPasskey(ctx, interaction, signed);
    await codes.drop(interaction);
    again(ctx);
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

/** A code, which people may type in groups. */
export const typedIn = (form: URLSearchParams, name: string): string =>
  (form.get(name) ?? "").replaceAll(/\s/g, "");

export const minutesOf = (seconds: number): number => Math.ceil(seconds / 60);

function refusalOf(tried: Exclude<Tried, { accountId: string }>, { language }: Reader): string {
  const texts = signInTexts[language];
  if (typeof tried === "object" && "opensInSeconds" in tried)
    return texts.opens(Math.ceil(tried.opensInSeconds / 3_600));
  if (typeof tried === "object") return texts.wait(minutesOf(tried.waitSeconds));
  return tried === "wrong" ? texts.wrong : texts.ended;
}

/** Browsers say whose page sent a form. The cookie of a sign-in is not sent for others' either. */
export const isOwnForm = (ctx: Context): boolean =>
  ["", "same-origin", "none"].includes(ctx.get("Sec-Fetch-Site"));
