import type { Context } from "koa";
import { isMailbox } from "../formats.ts";
import type { Entry } from "../http/router.ts";
import { networkOf } from "../limits/strangers.ts";
import { signInTexts } from "../texts/sign-in.ts";
import { addressOf, again, readForm, showPage } from "./frame.ts";
import { addressChangedPage, changeAddressPage, changeCodesPage } from "./pages.ts";
import { codeMailOf } from "./sending.ts";
import { isOwnForm, minutesOf, type SignInParts, typedIn } from "./sign-in.ts";
import {
  forSignedIn,
  keptOf,
  type Session,
  type SignedIn,
  type SignedInParts,
} from "./signed-in.ts";

const PATH = "/address";

/** Each code belongs to the session, as that of a sign-in belongs to its interaction. */
const holdersOf = ({ jti }: Session) => ({ old: `${jti} old`, new: `${jti} new` });

/** The pages on which a person who is signed in changes the address: both mailboxes get a code. */
export function addressEntries(parts: SignInParts & SignedInParts): readonly Entry[] {
  const { codes, sender, readerOf } = parts;
  const ofSignedIn = forSignedIn(parts, "change");

  async function showCodes(ctx: Context, { session, account }: SignedIn, refusal?: string) {
    const address = await codes.addressOf(holdersOf(session).new);
    const reader = await readerOf(ctx);
    showPage(
      ctx,
      address === undefined
        ? changeAddressPage(reader, account.email, "", refusal)
        : changeCodesPage(reader, account.email, address, refusal),
    );
  }

  async function request(ctx: Context, { session, account }: SignedIn, typed: string) {
    const reader = await readerOf(ctx);
    const texts = signInTexts[reader.language];
    const refuse = (status: number, reason: string): void => {
      ctx.status = status;
      showPage(ctx, changeAddressPage(reader, account.email, typed, reason));
    };
    const address = typed.trim().toLowerCase();
    if (!isMailbox(address)) return refuse(400, texts.noAddress);
    if (address === account.email) return refuse(400, texts.change.isTheSame);
    if (!sender.hasRoom()) return refuse(503, texts.busy);
    const holders = holdersOf(session);
    const asking = { network: networkOf(addressOf(ctx)), isKnown: false };
    const given: { to: string; code: string }[] = [];
    for (const [to, interaction] of [
      [address, holders.new],
      [account.email, holders.old],
    ] as const) {
      const answer = await codes.request({ ...asking, interaction }, to);
      if ("waitSeconds" in answer) {
        await drop(session);
        return refuse(429, texts.wait(minutesOf(answer.waitSeconds)));
      }
      given.push({ to, code: answer.code });
    }
    const { language, name: building = texts.building } = reader;
    ctx.res.once("close", () => {
      for (const mail of given)
        sender.send(codeMailOf({ ...mail, language, building, isChange: true }));
    });
    again(ctx);
  }

  async function change(ctx: Context, person: SignedIn, form: URLSearchParams) {
    const { session, account } = person;
    const holders = holdersOf(session);
    const reader = await readerOf(ctx);
    const texts = signInTexts[reader.language];
    const address = await codes.addressOf(holders.new);
    const { outcome, wait } = await codes.change({
      accountId: account.id,
      network: networkOf(addressOf(ctx)),
      old: { interaction: holders.old, code: typedIn(form, "old") },
      new: { interaction: holders.new, code: typedIn(form, "new") },
      kept: keptOf(session),
    });
    if (outcome === "changed")
      return showPage(ctx, addressChangedPage(reader, address ?? account.email));
    ctx.status = outcome === "wait" ? 429 : outcome === "taken" ? 409 : 400;
    const refusals = {
      wait: texts.wait(minutesOf(wait ?? 0)),
      taken: texts.change.isTaken,
      ended: texts.ended,
      wrong: texts.change.wrong,
    };
    return showCodes(ctx, person, refusals[outcome]);
  }

  async function drop(session: Session): Promise<void> {
    for (const holder of Object.values(holdersOf(session))) await codes.drop(holder);
  }

  return [
    { method: "GET", path: PATH, answer: ofSignedIn(showCodes) },
    {
      method: "POST",
      path: PATH,
      answer: ofSignedIn(async (ctx, person) => {
        if (!isOwnForm(ctx)) ctx.throw(403, "The form was sent by another page.");
        const form = await readForm(ctx);
        const email = form.get("email");
        if (email !== null) return request(ctx, person, email);
        if (form.has("new")) return change(ctx, person, form);
        await drop(person.session);
        again(ctx);
      }),
    },
  ];
}
