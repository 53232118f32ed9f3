interface Range {
  readonly first: number;
  readonly last: number;
}

const escaped = (unit: number): string => `\\u${unit.toString(16).padStart(4, "0")}`;
const from = (first: number, last: number): string =>
  first === last ? escaped(first) : `${escaped(first)}-${escaped(last)}`;

/** The surrogate pairs of a range beyond U+FFFF: for each first half, a range of second halves. */
function pairsOf({ first, last }: Range): readonly string[] {
  const pairs: string[] = [];
  for (let start = first; start <= last; start = (start | 0x3ff) + 1) {
    const end = Math.min(last, start | 0x3ff);
    const [high = 0, low = 0] = unitsOf(start);
    pairs.push(`${escaped(high)}[${from(low, unitsOf(end)[1] ?? 0)}]`);
  }
  return pairs;
}

const unitsOf = (code: number): readonly number[] => {
  const text = String.fromCodePoint(code);
  return [text.charCodeAt(0), text.charCodeAt(1)];
};

/** `\u00ad` and `\U000e0000-\U000e0fff`, as PostgreSQL writes them in a regular expression. */
const RANGE = /\\[uU]([\da-f]{4,8})(?:-\\[uU]([\da-f]{4,8}))?/g;

/**
 * The pattern of texts that contain none of these characters and no lone surrogates. The service
 * uses it without the flag `u`, and then it is exact. If clients use the flag, it only accepts some
 * pairs that the service refuses.
 * @param invisible the result of private.invisible_characters()
 */
export function oneLine(invisible: string): string {
  if (invisible.replaceAll(RANGE, "") !== "")
    throw new Error(`private.invisible_characters() has other things than \\u…: ${invisible}`);
  const ranges = Array.from(invisible.matchAll(RANGE), ([, first = "", last = first]) => ({
    first: Number.parseInt(first, 16),
    last: Number.parseInt(last, 16),
  }));
  const units = ranges.filter(({ last }) => last <= 0xffff).map((it) => from(it.first, it.last));
  const pairs = ranges.filter(({ first }) => first > 0xffff).flatMap(pairsOf);
  // PostgreSQL has no U+0000.
  return (
    `^(?:[^\\u0000${units.join("")}\\ud800-\\udfff]` +
    `|(?!${pairs.join("|")})[\\ud800-\\udbff][\\udc00-\\udfff])*$`
  );
}
