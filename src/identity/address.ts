import type { Context } from "koa";
import type Provider from "oidc-provider";
import { WEB_CLIENT_ID } from "../config/own-issuer.ts";
import { isMailbox } from "../formats.ts";
import type { Endpoint, Entry } from "../http/router.ts";
import { networkOf } from "../limits/refused-tokens.ts";
import { signInTexts } from "../texts/sign-in.ts";
import { hashOf } from "./adapter.ts";
import type { Account } from "./configuration.ts";
import { addressOf, again, readForm, showPage } from "./frame.ts";
import { addressChangedPage, changeAddressPage, changeCodesPage, messagePage } from "./pages.ts";
import { codeMailOf } from "./sending.ts";
import { isOwnForm, minutesOf, type SignInParts, typedIn } from "./sign-in.ts";

export interface AddressParts extends SignInParts {
  readonly accountOf: (id: string) => Promise<Account | undefined>;
}

const PATH = "/address";

type Session = Awaited<ReturnType<Provider["Session"]["get"]>>;

interface SignedIn {
  readonly session: Session;
  readonly account: Account;
}

/** Each code belongs to the session, as that of a sign-in belongs to its interaction. */
const holdersOf = ({ jti }: Session) => ({ old: `${jti} old`, new: `${jti} new` });

/** The pages on which a person who is signed in changes the address: both mailboxes get a code. */
export function addressEntries(parts: AddressParts): readonly Entry[] {
  const { provider, codes, sender, readerOf, accountOf } = parts;

  async function signedInAt(ctx: Context): Promise<SignedIn | undefined> {
    const session = await provider.Session.get(ctx);
    const account = session.accountId && (await accountOf(session.accountId));
    return account ? { session, account } : undefined;
  }

  /** For people who are signed in; others read that they must be. */
  const ofSignedIn =
    (answer: (ctx: Context, person: SignedIn) => Promise<void>): Endpoint =>
    async (ctx) => {
      const person = await signedInAt(ctx);
      if (person) return answer(ctx, person);
      const reader = await readerOf(ctx);
      const { change } = signInTexts[reader.language];
      ctx.status = 403;
      showPage(ctx, messagePage(reader, change.title, change.signInFirst));
    };

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
    const grantId = session.grantIdFor(WEB_CLIENT_ID);
    const address = await codes.addressOf(holders.new);
    const { outcome, wait } = await codes.change({
      accountId: account.id,
      network: networkOf(addressOf(ctx)),
      old: { interaction: holders.old, code: typedIn(form, "old") },
      new: { interaction: holders.new, code: typedIn(form, "new") },
      kept: [session.jti, ...(grantId ? [grantId] : [])].map(hashOf),
      keptGrant: grantId,
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
