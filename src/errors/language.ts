import type { Context } from "koa";
import { type Language, languages } from "../texts/kinds.ts";

/** No browser sends more, and a long header costs milliseconds to read. */
const LONGEST_HEADER = 1000;

/** The language of the answer: the one that Accept-Language prefers, or else the default. */
export function languageOf(ctx: Pick<Context, "vary" | "get" | "acceptsLanguages">): Language {
  ctx.vary("Accept-Language");
  if (ctx.get("Accept-Language").length > LONGEST_HEADER) return languages[0];
  const preferred = ctx.acceptsLanguages([...languages]);
  return languages.find((language) => language === preferred) ?? languages[0];
}
