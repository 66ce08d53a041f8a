import { expect, test } from '@jest/globals';
import { partitionsOf } from './partitions-of.ts';

const partitions = [0, 1, 2, 3, 4, 5, 6, 7] as const;
const shares = (replicas: readonly string[]) =>
  new Map(replicas.map((replica) => [replica, partitionsOf(replica, replicas, partitions)]));

test('each partition is of one replica, whatever order they are known in', () => {
  for (let count = 1; count <= 5; count++) {
    const replicas = Array.from({ length: count }, (_, index) => `replica-${index}`);
    const all = [...shares(replicas).values()].flatMap((share) => [...share]);
    expect(all.toSorted()).toEqual([...partitions]);
    expect(shares(replicas.toReversed())).toEqual(new Map([...shares(replicas)].toReversed()));
  }
});

test('one that comes takes partitions, and none moves between the others', () => {
  const before = shares(['a', 'b']);
  const after = shares(['a', 'b', 'c']);
  for (const [replica, share] of after)
    if (replica !== 'c') expect([...share].every((partition) => before.get(replica)?.has(partition))).toBe(true);
});

test('who is not known of has none', () => {
  expect(partitionsOf('a', ['b'], partitions).size).toBe(0);
});
