import { shuffle, createRandom } from '@saleschannel/testing/draw';
import type { FaultKind, Target } from './faults/fault.ts';

/** A planned occurrence of a fault. Times count from the beginning of the run. */
export interface PlannedFault {
  readonly kind: string;
  readonly hits: 'one' | 'all';
  readonly target: Target;
  readonly fromMs: number;
  readonly forMs: number;
  /** Seed of the fault's own random numbers. */
  readonly seed: number;
}

const MINUTE_MS = 60_000;
/** Time before the first fault, and after the last one. */
const CALM_MS = 5_000;
/** Time between faults that do not overlap, so that the stop of each is visible. */
const GAP_MS: readonly [number, number] = [2_000, 6_000];
/** Time between the faults of a loop, in which stops are not measured: until work is in flight again. */
const LOOP_GAP_MS: readonly [number, number] = [500, 3_000];
const OVERLAPS = 0.3;
const SEEDS = 2 ** 31;

/**
 * Draws a schedule, the same for the same seed, minutes and kinds. Each kind occurs once before any repeats.
 * @param only kinds to keep. The draw uses all kinds and then drops the others
 */
export function drawSchedule(
  seed: number,
  minutes: number,
  kinds: readonly FaultKind[],
  only?: readonly string[],
): PlannedFault[] {
  const random = createRandom(seed);
  const endMs = minutes * MINUTE_MS - CALM_MS;
  const planned: PlannedFault[] = [];
  let deck: FaultKind[] = [];
  let startMs = CALM_MS;
  for (let isFirst = true; ; isFirst = false) {
    if (deck.length === 0) deck = isFirst ? shuffle(kinds, random) : shuffle(kinds.flatMap(weighted), random);
    const next = drawNext(deck.pop() as FaultKind, planned, startMs, random);
    if (next.fromMs + next.forMs > endMs) break;
    planned.push(next);
    startMs =
      random() < OVERLAPS ? next.fromMs + random() * next.forMs : lastEndMs(planned) + between(GAP_MS, random());
  }
  return only === undefined ? planned : planned.filter(({ kind }) => only.includes(kind));
}

/** Repeats one kind for the whole time, each shortly after the previous one has ended. */
export function drawLoop(seed: number, minutes: number, kind: FaultKind): PlannedFault[] {
  const random = createRandom(seed);
  const planned: PlannedFault[] = [];
  for (let startMs = CALM_MS; startMs < minutes * MINUTE_MS - CALM_MS; startMs = lastEndMs(planned))
    planned.push(drawNext(kind, [], startMs + between(LOOP_GAP_MS, random()), random));
  return planned;
}

const weighted = (kind: FaultKind): FaultKind[] => Array.from({ length: kind.weight }, () => kind);
const between = ([least, most]: readonly [number, number], share: number): number => least + share * (most - least);
const lastEndMs = (planned: readonly PlannedFault[]): number =>
  Math.max(...planned.map(({ fromMs, forMs }) => fromMs + forMs));

function drawNext(
  { kind, hits, targets, seconds }: FaultKind,
  before: readonly PlannedFault[],
  startMs: number,
  random: () => number,
): PlannedFault {
  const target = targets[Math.floor(random() * targets.length)];
  if (!target) throw new Error(`The fault ${kind} has no target.`);
  const forMs = between(seconds, random()) * 1_000;
  const seed = Math.floor(random() * SEEDS);
  const candidate = { kind, hits, target, fromMs: startMs, forMs, seed };
  const underWay = before.filter((each) => each.fromMs + each.forMs > startMs);
  if (underWay.every((each) => mayOverlap(each, candidate))) return candidate;
  return { ...candidate, fromMs: lastEndMs(before) + between(GAP_MS, random()) };
}

/**
 * Returns whether two faults may be in effect at the same time. Two faults of replicas must be in the same zone, so
 * that the other zone works. A fault of all replicas occurs alone.
 */
export const mayOverlap = (
  one: Pick<PlannedFault, 'hits' | 'target'>,
  other: Pick<PlannedFault, 'hits' | 'target'>,
): boolean =>
  one.hits === 'one' && other.hits === 'one' && one.target.zone !== undefined && one.target.zone === other.target.zone;
