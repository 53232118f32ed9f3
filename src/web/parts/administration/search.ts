/** Whether the texts contain all words of the search. */
export function matches(search: string, ...texts: readonly (string | null | undefined)[]): boolean {
  const text = texts.join(" ").toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** In the order of numbers: 2A comes before 10A. */
export const byNumber = new Intl.Collator(undefined, { numeric: true }).compare;
