import type { Context } from "koa";
import type { Entry } from "../http/router.ts";
import type { Codes, Refusal } from "./codes.ts";
import { again, readForm, showPage } from "./frame.ts";
import { changeAddressPage, changeCodesPage, messagePage } from "./pages.ts";
import { forSignedIn, keptOf, type SignedIn, type SignedInParts } from "./signed-in.ts";

const PATH = "/address";

const askingOf = (ctx: Context, { session }: SignedIn) => ({
  ctx,
  id: session.jti,
  isKnown: false,
});

/** The pages on which a person who is signed in changes the address: both mailboxes get a code. */
export function addressEntries(parts: SignedInParts & { readonly codes: Codes }): readonly Entry[] {
  const { codes, readerOf } = parts;
  const ofSignedIn = forSignedIn(parts, "change");

  async function showCodes(ctx: Context, person: SignedIn, refusal?: Refusal): Promise<void> {
    const address = await codes.addressOf(person.session.jti);
    if (address === undefined) return askAddress(ctx, person, "", refusal);
    if (refusal) ctx.status = refusal.status;
    const { email } = person.account;
    showPage(ctx, changeCodesPage(await readerOf(ctx), email, address, refusal?.reason));
  }

  async function askAddress(ctx: Context, { account }: SignedIn, typed = "", refusal?: Refusal) {
    if (refusal) ctx.status = refusal.status;
    const reader = await readerOf(ctx);
    showPage(ctx, changeAddressPage(reader, account.email, typed, refusal?.reason));
  }

  async function request(ctx: Context, person: SignedIn, typed: string): Promise<void> {
    const { email } = person.account;
    const { texts } = await readerOf(ctx);
    const address = typed.trim().toLowerCase();
    const refusal =
      address === email
        ? { status: 400, reason: texts.change.isTheSame }
        : await codes.mail(askingOf(ctx, person), email, address);
    return refusal ? askAddress(ctx, person, typed, refusal) : again(ctx);
  }

  async function change(ctx: Context, person: SignedIn, form: URLSearchParams): Promise<void> {
    const { account, session } = person;
    const address = await codes.addressOf(session.jti);
    const typed = [form.get("old") ?? "", form.get("new") ?? ""] as const;
    const asking = askingOf(ctx, person);
    const refusal = await codes.changeAddress(asking, account, typed, keptOf(session));
    if (refusal) return showCodes(ctx, person, refusal);
    const reader = await readerOf(ctx);
    const { done, doneSentence } = reader.texts.change;
    showPage(ctx, messagePage(reader, done, doneSentence(address ?? account.email)));
  }

  return [
    { method: "GET", path: PATH, answer: ofSignedIn((ctx, person) => showCodes(ctx, person)) },
    {
      method: "POST",
      path: PATH,
      answer: ofSignedIn(async (ctx, person) => {
        const form = await readForm(ctx);
        const email = form.get("email");
        if (email !== null) return request(ctx, person, email);
        if (form.has("new")) return change(ctx, person, form);
        return askAddress(ctx, person);
      }),
    },
  ];
}
