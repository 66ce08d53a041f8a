import { expect, test } from '@jest/globals';
import { toBodies, readPartition, splitBody } from './envelope.ts';
import { ledgerPartitionOf, ledgerPartitions } from './ledger-partitions.ts';
import { familyOf, queueFamilies, queues, queuesOfFamily, type QueueName } from './topology.ts';

const ISSUANCE = '5b0c2d9e-1f5a-4f0e-9a53-6a3c0f6f4a11';

// The same in every release: otherwise two releases side by side would disagree on the order of transfers.
test('the partition of an issuance never changes, and does not depend on the certificate', () => {
  const names = [`${ISSUANCE}_1`, `${ISSUANCE}_643141234500000000000000000000000001`, `${ISSUANCE.toUpperCase()}_7`];
  expect(names.map((name) => ledgerPartitionOf(name, ledgerPartitions.length))).toEqual([1, 1, 1]);
  expect(ledgerPartitionOf('', ledgerPartitions.length)).toBe(3);
  expect(names.map((name) => ledgerPartitionOf(name, 1))).toEqual([0, 0, 0]);
});

test('issuances are spread evenly', () => {
  const counts = new Map<number, number>();
  for (let count = 0; count < 8_000; count++) {
    const partition = ledgerPartitionOf(`${crypto.randomUUID()}_1`, ledgerPartitions.length);
    counts.set(partition, (counts.get(partition) ?? 0) + 1);
  }
  for (const partition of ledgerPartitions) expect(Math.abs((counts.get(partition) ?? 0) - 1_000)).toBeLessThan(200);
});

test('a message names its partition, and so do the messages that it is split into', () => {
  const [body = ''] = toBodies([{ number: 1 }, { number: 2 }], 5);
  expect(JSON.parse(body)).toEqual({ partition: 5, entries: [{ number: 1 }, { number: 2 }] });
  expect([body, ...(splitBody(body) ?? [])].map(readPartition)).toEqual([5, 5, 5]);
  expect(toBodies([{ partition: 5 }]).map(readPartition)).toEqual([undefined]);
  expect(readPartition('{"partition":8,"entries":[]}')).toBeUndefined();
});

test('every queue belongs to one family, and the partitions of the ledger form one', () => {
  expect(queueFamilies).toEqual(['inventory.transfers', 'tasks.outcomes', 'events.log']);
  expect(queueFamilies.flatMap(queuesOfFamily).toSorted()).toEqual(Object.keys(queues).toSorted());
  expect(queuesOfFamily('inventory.transfers')).toHaveLength(1 + ledgerPartitions.length);
  for (const queue of Object.keys(queues) as QueueName[]) expect(queueFamilies).toContain(familyOf(queue));
});
