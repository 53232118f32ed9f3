import { Problem } from "../errors/problem.ts";
import type { Entry } from "../http/router.ts";
import type { MailBox } from "../mail/mailer.ts";
import { mailPolicy } from "../pages/policy.ts";
import { mailsPage, PAGE_POLICY } from "./pages.ts";

/** The list of mails at /mail, and the HTML of each mail. */
export function mailPages(box: Pick<MailBox, "mails">): readonly Entry[] {
  return [
    {
      method: "GET",
      path: "/mail",
      answer(ctx) {
        ctx.set({ "Cache-Control": "no-store", "Content-Security-Policy": PAGE_POLICY });
        ctx.body = mailsPage(box.mails());
      },
    },
    {
      method: "GET",
      path: "/mail/:id",
      answer(ctx) {
        const mail = box.mails().find(({ id }) => id === ctx.params.id);
        if (mail === undefined) throw new Problem("not_found");
        ctx.set({ "Cache-Control": "no-store", "Content-Security-Policy": mailPolicy });
        ctx.type = "html";
        ctx.body = mail.html;
      },
    },
  ];
}
