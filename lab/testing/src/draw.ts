/** Seeded random numbers (mulberry32), so that a failed order can be reproduced. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}

/** Shuffles the items (Fisher-Yates). */
export function shuffle<T>(items: readonly T[], random: () => number): T[] {
  const order = [...items];
  for (let left = order.length - 1; left > 0; left--) {
    const other = Math.floor(random() * (left + 1));
    [order[left], order[other]] = [order[other] as T, order[left] as T];
  }
  return order;
}
