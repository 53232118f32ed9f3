/** Random numbers that are the same for the same seed, so that a failure can be repeated. */
export interface Random {
  /** From 0 up to, but not including, this. */
  below(count: number): number;
  pick<T>(items: readonly T[]): T;
}

/** Mulberry32, which is small and good enough to choose test cases. */
export function random(seed: number): Random {
  let state = seed;
  const below = (count: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return Math.floor((((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32) * count);
  };
  return {
    below,
    pick<T>(items: readonly T[]): T {
      const index = below(items.length);
      const item = items[index];
      if (item === undefined) throw new Error("there is nothing to pick from");
      return item;
    },
  };
}
