import { stableHash } from '@saleschannel/primitives';

/**
 * Which partitions a replica consumes, by rendezvous hashing: each goes to the replica with the highest weight for it.
 * All replicas that know of the same ones agree without talking, and one that comes or goes moves its own share alone.
 */
export const partitionsOf = <P extends number>(
  replica: string,
  replicas: readonly string[],
  partitions: readonly P[],
): ReadonlySet<P> => new Set(partitions.filter((partition) => winnerOf(partition, replicas) === replica));

function winnerOf(partition: number, replicas: readonly string[]): string | undefined {
  const weighed = replicas.map((replica) => ({ replica, weight: stableHash(`${replica}/${partition}`) }));
  // Of equal weights the lower name wins, whoever asks.
  weighed.sort((one, other) => other.weight - one.weight || (one.replica < other.replica ? -1 : 1));
  return weighed[0]?.replica;
}
