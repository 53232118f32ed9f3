import type { Context } from "koa";
import type Provider from "oidc-provider";
import { WEB_CLIENT_ID } from "../config/own-issuer.ts";
import type { Endpoint } from "../http/router.ts";
import { hashOf } from "./adapter.ts";
import type { Account } from "./configuration.ts";
import { type ReaderOf, showPage } from "./frame.ts";
import { messagePage } from "./pages.ts";

export interface SignedInParts {
  readonly provider: Provider;
  readonly readerOf: ReaderOf;
  readonly accountOf: (id: string) => Promise<Account | undefined>;
}

export type Session = Awaited<ReturnType<Provider["Session"]["get"]>>;

export interface SignedIn {
  readonly session: Session;
  readonly account: Account;
}

type Answer = (ctx: Context, person: SignedIn) => Promise<void>;

/** Makes pages for people who are signed in; others read that they must be. */
export const forSignedIn =
  ({ provider, accountOf, readerOf }: SignedInParts, page: "change" | "elsewhere") =>
  (answer: Answer): Endpoint =>
  async (ctx) => {
    const session = await provider.Session.get(ctx);
    const account = session.accountId && (await accountOf(session.accountId));
    if (account) return answer(ctx, { session, account });
    const reader = await readerOf(ctx);
    const { signInFirst } = reader.texts;
    ctx.status = 403;
    showPage(ctx, messagePage(reader, reader.texts[page].title, signInFirst));
  };

/** The hashes of what stays where everything else of a person ends: the session and its grant. */
export function keptOf(session: Session): readonly Buffer[] {
  const grant = session.grantIdFor(WEB_CLIENT_ID);
  return [session.jti, ...(grant ? [grant] : [])].map(hashOf);
}
