import { readFileSync } from "node:fs";
import { signInPolicy } from "../pages/policy.ts";

/** Markup, which is sent as it is. Plain text is escaped first. */
export interface Html {
  readonly markup: string;
}

/** A template: escapes the texts and keeps the pieces of markup. */
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

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");

const css = readFileSync(new URL("page.css", import.meta.url), "utf8");

/** A whole page: the body of a response. */
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

/** Sent with every page. */
export const PAGE_POLICY = signInPolicy(css);
