/** A table of Markdown. */
export const markdownTable = (
  titles: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string =>
  [titles, titles.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
