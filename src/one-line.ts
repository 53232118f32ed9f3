/**
 * Characters that nobody sees, in hexadecimal (Unicode 17.0). It is the list for the pattern below;
 * private.is_one_line in sql/support has the same, and a test compares them for every code point.
 */
const INVISIBLE = `
  0-1f 7f-9f ad 34f 600-605 61c 6dd 70f 890-891 8e2 115f-1160 1680 17b4-17b5 180b-180f 200b-200f
  2028-202e 2060-206f 2800 3164 fe00-fe0f feff ffa0 fff0-fffb 110bd 110cd 13430-1343f 1bca0-1bca3
  1d173-1d17a e0000-e0fff`;

interface Range {
  readonly first: number;
  readonly last: number;
}

const ranges: readonly Range[] = INVISIBLE.trim()
  .split(/\s+/)
  .map((text) => {
    const [first = "", last = first] = text.split("-");
    return { first: Number.parseInt(first, 16), last: Number.parseInt(last, 16) };
  });

const escaped = (unit: number): string => `\\u${unit.toString(16).padStart(4, "0")}`;
const from = (first: number, last: number): string =>
  first === last ? escaped(first) : `${escaped(first)}-${escaped(last)}`;

/** Of a range beyond U+FFFF, the pairs of surrogates; a range has the second halves of each first. */
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

const units = ranges.filter(({ last }) => last <= 0xffff).map((it) => from(it.first, it.last));
const pairs = ranges.filter(({ first }) => first > 0xffff).flatMap(pairsOf);

/**
 * None of these and no halves of characters. The pattern is exact without the flag `u`, as we read
 * it. Clients may read it with the flag: then it only lets pairs pass that the service refuses.
 */
export const ONE_LINE =
  `^(?:[^${units.join("")}\\ud800-\\udfff]` +
  `|(?!${pairs.join("|")})[\\ud800-\\udbff][\\udc00-\\udfff])*$`;
