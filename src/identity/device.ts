import type { Context } from "koa";
import { MOUNT_PATH } from "../config/own-issuer.ts";
import type { Secret } from "./secret.ts";

const COOKIE = "_known";
const A_YEAR_MS = 365 * 24 * 3_600_000;

/**
 * Marks a browser in which an address was signed in. All such browsers of an address share limits
 * of their own, so that a stranger who uses up those of the address locks nobody out (OWASP, device
 * cookies), and nobody gets more mails by signing in more often.
 */
export function createDevices(secret: Secret) {
  return {
    knows(ctx: Pick<Context, "cookies">, address: string): boolean {
      const signature = Buffer.from(ctx.cookies.get(COOKIE) ?? "", "base64url");
      return secret.isSigned(signature, "device", address);
    },
    mark(ctx: Pick<Context, "cookies">, address: string): void {
      ctx.cookies.set(COOKIE, secret.sign("device", address).toString("base64url"), {
        path: MOUNT_PATH,
        httpOnly: true,
        sameSite: "lax",
        maxAge: A_YEAR_MS,
        signed: false,
        overwrite: true,
      });
    },
  };
}
