import type { Pool } from "pg";
import type { Entry } from "../http/router.ts";
import { readForm, showPage } from "./frame.ts";
import { elsewherePage, messagePage } from "./pages.ts";
import { letterOf, type MailSender } from "./sending.ts";
import { forSignedIn, keptOf, type SignedInParts } from "./signed-in.ts";

export interface ElsewhereParts extends SignedInParts {
  readonly pool: Pool;
  readonly sender: MailSender;
}

const PATH = "/elsewhere";

/** The page on which a person ends all sign-ins but the one of this browser, as of a lost phone. */
export function elsewhereEntries(parts: ElsewhereParts): readonly Entry[] {
  const { pool, sender, readerOf } = parts;
  const ofSignedIn = forSignedIn(parts, "elsewhere");
  return [
    {
      method: "GET",
      path: PATH,
      answer: ofSignedIn(async (ctx, { session, account }) => {
        const { rows } = await pool.query<{ day: string }>(
          "select day::text from identity.signed_in_elsewhere($1, $2) as day",
          [account.id, keptOf(session)],
        );
        const days = rows.map(({ day }) => day);
        showPage(ctx, elsewherePage(await readerOf(ctx), days));
      }),
    },
    {
      method: "POST",
      path: PATH,
      answer: ofSignedIn(async (ctx, { session, account }) => {
        await readForm(ctx);
        const { rows } = await pool.query<{ ended: number }>(
          "select identity.end_elsewhere($1, $2) as ended",
          [account.id, keptOf(session)],
        );
        const reader = await readerOf(ctx);
        const { elsewhere } = reader.texts;
        // The person hears of it by mail, because another who uses their browser could do it too.
        if ((rows[0]?.ended ?? 0) > 0) {
          const sentence = elsewhere.mail(reader.name);
          sender.send(letterOf(account.email, { sentence, warning: elsewhere.warning }, reader));
        }
        showPage(ctx, messagePage(reader, elsewhere.done, elsewhere.doneSentence));
      }),
    },
  ];
}
