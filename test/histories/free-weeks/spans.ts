/** From a moment to another, in milliseconds; spans of a list neither touch nor overlap, in order. */
export type Span = readonly [from: number, to: number];
export type Spans = readonly Span[];

export function union(...lists: readonly Spans[]): Spans {
  const all = lists.flat().toSorted(([a], [b]) => a - b);
  const whole: [number, number][] = [];
  for (const [from, to] of all) {
    const last = whole.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else if (from < to) whole.push([from, to]);
  }
  return whole;
}

export const minus = (spans: Spans, taken: Spans): Spans =>
  taken.reduce(
    (left, [from, to]) =>
      left.flatMap(
        ([start, end]): Spans =>
          (
            [
              [start, Math.min(end, from)],
              [Math.max(start, to), end],
            ] as const
          ).filter(([a, b]) => a < b),
      ),
    spans,
  );

export const inWords = (spans: Spans): string =>
  spans.map((span) => span.map((it) => new Date(it).toISOString()).join(" – ")).join(", ");
