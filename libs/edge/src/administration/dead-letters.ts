import { queuesOfFamily, type DeadLetter, type DeadLetters, type QueueFamily } from '@saleschannel/messaging';

/** The dead letters of a queue with all its partitions. They stay where they are. */
export async function listDeadLetters(
  letters: DeadLetters,
  family: QueueFamily,
  atMost: number,
): Promise<DeadLetter[]> {
  const found: DeadLetter[] = [];
  for (const queue of queuesOfFamily(family)) found.push(...(await letters.list(queue, atMost - found.length)));
  return found;
}

/** Hands dead letters of a queue to it again, those of its partitions too. Returns how many. */
export async function replayDeadLetters(letters: DeadLetters, family: QueueFamily, atMost: number): Promise<number> {
  let replayed = 0;
  for (const queue of queuesOfFamily(family)) replayed += await letters.replay(queue, atMost - replayed);
  return replayed;
}
