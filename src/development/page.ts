import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { LOOPBACK_SOURCES } from "./loopback.ts";

/** Markup that may be sent as it is; a plain text never may. */
export interface Html {
  readonly markup: string;
}

/** A template whose texts are escaped and whose pieces of markup are not. */
export function html(
  template: TemplateStringsArray,
  ...values: readonly (string | Html | readonly Html[])[]
): Html {
  return { markup: String.raw({ raw: template }, ...values.map(markupOf)) };
}

function markupOf(value: string | Html | readonly Html[]): string {
  if (typeof value === "string") return escaped(value);
  return "markup" in value ? value.markup : value.map(markupOf).join("");
}

const REFERENCES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => REFERENCES[character] ?? "");

const css = readFileSync(new URL("page.css", import.meta.url), "utf8");

/** A whole page, ready to be a response's body. */
export const page = (title: string, content: Html): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} – Parking spots</title>
<style>${{ markup: css }}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`.markup;

/**
 * What the pages may do. Chromium holds `form-action` against every redirect that follows a form,
 * so the clients that signing in and out lead back to are named. `script-src` is empty, not absent:
 * the provider adds the hash of the script with which it posts forms of its own.
 */
export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(css).digest("base64")}'`,
  "script-src",
  `form-action 'self' ${LOOPBACK_SOURCES}`,
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");
