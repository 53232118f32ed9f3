/** The value below which this share of the values lies; NaN without values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const index = Math.min(sorted.length - 1, Math.floor(sorted.length * share));
  return sorted[index] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [below, above] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return below === undefined || above === undefined ? Number.NaN : (below + above) / 2;
}

export const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
