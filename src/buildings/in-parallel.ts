/** Calls `use` for each item, for `most` of them at a time, in their order. */
export async function inParallel<T>(
  items: readonly T[],
  most: number,
  use: (item: T) => Promise<void>,
): Promise<void> {
  const rest = items.values();
  const line = async (): Promise<void> => {
    for (const item of rest) await use(item);
  };
  await Promise.all(Array.from({ length: most }, line));
}
