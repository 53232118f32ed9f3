/**
 * The only entry to this folder for the service: the sign-in by mail (SIGN_IN=mail). It is loaded
 * with import(), so that a service with another identity provider has none of it in memory.
 */
import type { RequestListener } from "node:http";
import type { Middleware } from "koa";
import type { JWK } from "oidc-provider";
import type { Pool } from "pg";
import { MOUNT_PATH } from "../config/own-issuer.ts";
import { isOutage, logOutage } from "../errors/outage.ts";
import { reasonOf } from "../errors/reason.ts";
import { languageOf } from "../errors/render.ts";
import type { Entry } from "../http/router.ts";
import { oncePer } from "../lazy.ts";
import type { Logger } from "../log/logger.ts";
import { requestIds } from "../log/slow-statements.ts";
import type { Mailer } from "../mail/mailer.ts";
import { greetingOf } from "../pages/greeting.ts";
import { languages } from "../texts/kinds.ts";
import { signInTexts } from "../texts/sign-in.ts";
import type { RequestState } from "../tokens/identity.ts";
import type { KeySource } from "../tokens/keys.ts";
import { postgresAdapter } from "./adapter.ts";
import { addressEntries } from "./address.ts";
import { createCodes } from "./codes.ts";
import { configurationOf } from "./configuration.ts";
import { createCounts, type SignInCounts } from "./counts.ts";
import { elsewhereEntries } from "./elsewhere.ts";
import { createFrame, mount, type ReaderOf } from "./frame.ts";
import { createSigningKeys } from "./keys.ts";
import { limitRequests } from "./limits.ts";
import { passkeyScript } from "./pages.ts";
import { createPasskeys } from "./passkeys.ts";
import { passkeyEntries } from "./passkeys-api.ts";
import { secretOf } from "./secret.ts";
import { createMailSender } from "./sending.ts";
import { signInEntries } from "./sign-in.ts";

export interface MailSignInParts {
  /** The origin at which people open the page. */
  readonly origin: string;
  readonly secret: string;
  /** How many sign-ins may begin from one network; 0: any number. */
  readonly unknownPerMinute: number;
  readonly pool: Pool;
  readonly mailer: Mailer;
  readonly logger: Logger;
}

export interface MailSignIn {
  /** Answers everything below /identity. */
  readonly middleware: Middleware;
  /** The keys of its tokens. */
  readonly keys: KeySource;
  /** For the metrics. */
  readonly counts: SignInCounts;
  /** What the page asks by the API, below its base path. */
  readonly entries: readonly Entry<RequestState>[];
  stop(): void;
}

const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;
/** In seconds. What the building says ends a sign-in sooner: identity.find_document. */
const A_YEAR = 365 * DAY;

export async function createMailSignIn(parts: MailSignInParts): Promise<MailSignIn> {
  const { origin, pool, mailer, logger } = parts;
  const secret = secretOf(parts.secret);
  const keys = await createSigningKeys(pool, secret);
  await noticeStrangers(pool, logger);
  const { counts, count } = createCounts();
  const greeting = greetingOf(pool);
  const sender = createMailSender(mailer, logger, count);
  const passkeys = createPasskeys(pool, origin, secret);

  const readerOf: ReaderOf = async (ctx) => {
    // The language that somebody chose on the page comes first.
    const chosen = languages.find((language) => language === ctx.query.ui_locales);
    const language = chosen ?? languageOf(ctx);
    const texts = signInTexts[language];
    const { name = texts.building, colour } = JSON.parse((await greeting()) ?? "{}");
    return { language, texts, name, colour };
  };

  const codes = createCodes({ pool, secret, sender, count, readerOf });

  async function accountOf(id: string) {
    const { rows } = await pool.query<{ email: string | null; signed_out_at: Date | null }>(
      "select * from identity.find_account($1)",
      [id],
    );
    const { email, signed_out_at: signedOutAt } = rows[0] ?? {};
    return email ? { id, email, signedOutAt: signedOutAt ?? undefined } : undefined;
  }

  const answerWith = (privateKeys: readonly JWK[]): RequestListener =>
    createFrame({
      origin,
      configuration: {
        ...configurationOf({
          origin,
          keys: privateKeys,
          accountOf,
          readerOf,
        }),
        adapter: postgresAdapter(pool),
        cookies: { keys: [secret.keyFor("cookies")], long: { path: MOUNT_PATH } },
        ttl: {
          AccessToken: 60 * MINUTE,
          AuthorizationCode: MINUTE,
          IdToken: 60 * MINUTE,
          Interaction: 30 * MINUTE,
          Session: (_ctx, { accountId }) => (accountId ? A_YEAR : 30 * MINUTE),
          Grant: A_YEAR,
          RefreshToken: A_YEAR,
        },
      },
      pages: (provider) => {
        const shared = { provider, codes, passkeys, sender, secret, readerOf, accountOf };
        return [
          ...signInEntries(shared),
          ...addressEntries(shared),
          ...elsewhereEntries({ ...shared, pool }),
        ];
      },
      formAction: "'self'",
      before: [limitRequests(parts.unknownPerMinute, readerOf)],
      script: passkeyScript,
      readerOf,
      onError(error) {
        const reason = reasonOf(error);
        if (isOutage(error)) logOutage(logger, { requestId: requestIds.getStore(), reason });
        else logger.error({ err: error, requestId: requestIds.getStore() }, "a sign-in failed");
      },
    }).answer;
  /** Made again when there is another key: everything else is in the database. */
  const answerOf = oncePer(answerWith);

  return {
    middleware: mount(async () => answerOf(await keys.current())),
    keys,
    counts,
    entries: passkeyEntries({ passkeys, accountOf, sender, readerOf }),
    stop: () => sender.stop(),
  };
}

/** To the sign-in by mail, people of another identity provider are strangers until they are moved. */
async function noticeStrangers(pool: Pool, logger: Logger): Promise<void> {
  const { rows } = await pool.query<{ people: number }>(
    "select identity.people_without_account() as people",
  );
  const people = rows[0]?.people ?? 0;
  if (people > 0)
    logger.warn({ people }, "people cannot sign in by mail yet: npm run identity -- move mail");
}
