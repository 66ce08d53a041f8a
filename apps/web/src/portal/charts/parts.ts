const SCALE = 10_000n;
/** Percent. What is not nothing is seen. */
const LEAST = 0.5;

/** Where the parts of a bar lie, one after the other, in percent of the largest bar. */
export function partsOf(
  volumes: readonly bigint[],
  largest: bigint,
): { readonly from: number; readonly width: number }[] {
  let from = 0;
  return volumes.map((volume) => {
    const width = volume === 0n ? 0 : Math.max(LEAST, Number((volume * SCALE) / largest) / 100);
    const part = { from: Math.min(from, 100 - width), width };
    from += width;
    return part;
  });
}
