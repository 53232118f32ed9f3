import { randomBytes } from "node:crypto";
import type { Context } from "koa";
import { MOUNT_PATH } from "../config/own-issuer.ts";
import type { Secret } from "./secret.ts";

const COOKIE = "_known";
const A_YEAR_MS = 365 * 24 * 3_600_000;

/**
 * Marks a browser in which an address was signed in. It has limits of its own, so that a stranger
 * who uses up those of the address locks nobody out (OWASP, device cookies).
 */
export function createDevices(secret: Secret) {
  return {
    /** The name of a browser that knows this address. */
    nameOf(ctx: Pick<Context, "cookies">, address: string): string | undefined {
      const [name = "", signature = ""] = (ctx.cookies.get(COOKIE) ?? "").split(".");
      const isRight = secret.isSigned(Buffer.from(signature, "base64url"), "device", name, address);
      return isRight ? name : undefined;
    },
    mark(ctx: Pick<Context, "cookies">, address: string): void {
      const name = randomBytes(16).toString("base64url");
      const signature = secret.sign("device", name, address).toString("base64url");
      ctx.cookies.set(COOKIE, `${name}.${signature}`, {
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
