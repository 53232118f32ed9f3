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
