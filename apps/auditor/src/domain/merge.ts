/**
 * Goes through two lists at once, each in the order of its keys, and gives what has one key together. Keys are compared
 * as PostgreSQL compares texts by their bytes, so they hold nothing but ASCII. Neither list is ever held in memory.
 */
export async function* pairs<Left, Right>(
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

/** Groups of neighbours with the same key. A group is held in memory. */
export async function* groups<Row>(
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
