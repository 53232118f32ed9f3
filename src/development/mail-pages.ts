import Router from "@koa/router";
import type { MailBox } from "../mail/kept.ts";
import { mailPolicy } from "../pages/policy.ts";
import { mailsPage, PAGE_POLICY } from "./pages.ts";

/** The mails at /mail, and each as its HTML. */
export function mailPages(box: Pick<MailBox, "mails">): Router {
  return new Router()
    .get("/mail", (ctx) => {
      ctx.set({ "Cache-Control": "no-store", "Content-Security-Policy": PAGE_POLICY });
      ctx.body = mailsPage(box.mails());
    })
    .get("/mail/:id", (ctx, next) => {
      const mail = box.mails().find(({ id }) => id === ctx.params.id);
      if (mail === undefined) return next();
      ctx.set({ "Cache-Control": "no-store", "Content-Security-Policy": mailPolicy });
      ctx.type = "html";
      ctx.body = mail.html;
      return;
    });
}
