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

const escaped = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");

interface PageProperties {
  readonly language: string;
  /** The title of the window. */
  readonly title: string;
  readonly heading: string;
  readonly content: Html;
  readonly css?: string;
}

/** A whole page: the body of a response. */
export const htmlPage = ({ language, title, heading, content, css }: PageProperties): string =>
  html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${css === undefined ? "" : html`<style>${{ markup: css }}</style>\n`}</head>
<body>
<main>
<h1>${heading}</h1>
${content}
</main>
</body>
</html>
`.markup;
