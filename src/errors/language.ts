import type { Context } from "koa";
import { type Language, languages } from "../texts/kinds.ts";

/** The language of the answer: the one that Accept-Language prefers, or else the default. */
export function languageOf(ctx: Pick<Context, "vary" | "acceptsLanguages">): Language {
  ctx.vary("Accept-Language");
  const preferred = ctx.acceptsLanguages([...languages]);
  return languages.find((language) => language === preferred) ?? languages[0];
}
