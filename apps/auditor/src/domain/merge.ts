/**
 * Joins two lists that are sorted by key. Compares keys by bytes, as PostgreSQL does with collation "C", so they must
 * be ASCII. Holds neither list in memory.
 */
export async function* joinSorted<Left, Right>(
  left: AsyncIterable<Left>,
  leftKey: (row: Left) => string,
  right: AsyncIterable<Right>,
  rightKey: (row: Right) => string,
): AsyncGenerator<[Left | undefined, Right | undefined]> {
  const [a, b] = [left[Symbol.asyncIterator](), right[Symbol.asyncIterator]()];
  let [x, y] = [await a.next(), await b.next()];
  while (!x.done || !y.done) {
    const order = x.done ? 1 : y.done ? -1 : compare(leftKey(x.value), rightKey(y.value));
    yield [order <= 0 && !x.done ? x.value : undefined, order >= 0 && !y.done ? y.value : undefined];
    if (order <= 0) x = await a.next();
    if (order >= 0) y = await b.next();
  }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Groups adjacent rows with the same key. Holds one group in memory. */
export async function* groupAdjacent<Row>(
  rows: AsyncIterable<Row>,
  keyOf: (row: Row) => string,
): AsyncGenerator<{ readonly key: string; readonly rows: Row[] }> {
  let group: { key: string; rows: Row[] } | undefined;
  for await (const row of rows) {
    const key = keyOf(row);
    if (group?.key === key) group.rows.push(row);
    else {
      if (group) yield group;
      group = { key, rows: [row] };
    }
  }
  if (group) yield group;
}
