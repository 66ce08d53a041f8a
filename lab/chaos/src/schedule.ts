import { drawn, randomOf } from '@saleschannel/testing/draw';
import type { FaultKind, Target } from './faults/fault.ts';

/** An occurrence of a fault, planned. Times count from the beginning of the run. */
export interface Planned {
  readonly kind: string;
  readonly hits: 'one' | 'all';
  readonly target: Target;
  readonly fromMs: number;
  readonly forMs: number;
  /** Seed of what the fault itself draws. */
  readonly seed: number;
}

const MINUTE_MS = 60_000;
/** Until the first fault, and from the last one's end until the end of the run. */
const CALM_MS = 5_000;
/** Between faults that do not overlap. A stop has to be over to be seen. */
const GAP_MS: readonly [number, number] = [2_000, 6_000];
/** In a loop, where a stop need not be seen: as long as it takes that work is under way again. */
const LOOP_GAP_MS: readonly [number, number] = [500, 3_000];
const OVERLAPS = 0.3;
const SEEDS = 2 ** 31;

/**
 * Draws a schedule. The same seed, minutes and kinds give the same one. Each kind comes once before any comes again.
 * @param only kinds that are kept. The draw is that of all kinds: the others are left out of it
 */
export function scheduleOf(
  seed: number,
  minutes: number,
  kinds: readonly FaultKind[],
  only?: readonly string[],
): Planned[] {
  const random = randomOf(seed);
  const endMs = minutes * MINUTE_MS - CALM_MS;
  const planned: Planned[] = [];
  let deck: FaultKind[] = [];
  let startMs = CALM_MS;
  for (let isFirst = true; ; isFirst = false) {
    if (deck.length === 0) deck = isFirst ? drawn(kinds, random) : drawn(kinds.flatMap(weighted), random);
    const next = drawNext(deck.pop() as FaultKind, planned, startMs, random);
    if (next.fromMs + next.forMs > endMs) break;
    planned.push(next);
    startMs = random() < OVERLAPS ? next.fromMs + random() * next.forMs : endOf(planned) + between(GAP_MS, random());
  }
  return only === undefined ? planned : planned.filter(({ kind }) => only.includes(kind));
}

/** One kind again and again, each a moment after the one before has ended. There are as many as there is time for. */
export function loopOf(seed: number, minutes: number, kind: FaultKind): Planned[] {
  const random = randomOf(seed);
  const planned: Planned[] = [];
  for (let startMs = CALM_MS; startMs < minutes * MINUTE_MS - CALM_MS; startMs = endOf(planned))
    planned.push(drawNext(kind, [], startMs + between(LOOP_GAP_MS, random()), random));
  return planned;
}

const weighted = (kind: FaultKind): FaultKind[] => Array.from({ length: kind.weight }, () => kind);
const between = ([least, most]: readonly [number, number], share: number): number => least + share * (most - least);
const endOf = (planned: readonly Planned[]): number => Math.max(...planned.map(({ fromMs, forMs }) => fromMs + forMs));

function drawNext(
  { kind, hits, targets, seconds }: FaultKind,
  before: readonly Planned[],
  startMs: number,
  random: () => number,
): Planned {
  const target = targets[Math.floor(random() * targets.length)];
  if (!target) throw new Error(`The fault ${kind} has no target.`);
  const forMs = between(seconds, random()) * 1_000;
  const seed = Math.floor(random() * SEEDS);
  const wanted = { kind, hits, target, fromMs: startMs, forMs, seed };
  const underWay = before.filter((each) => each.fromMs + each.forMs > startMs);
  if (underWay.every((each) => mayOverlap(each, wanted))) return wanted;
  return { ...wanted, fromMs: endOf(before) + between(GAP_MS, random()) };
}

/**
 * Whether two faults may be in effect at the same time. Of two that hit replicas both must hit the same zone, so that
 * the other zone works. What hits all hits alone.
 */
export const mayOverlap = (one: Pick<Planned, 'hits' | 'target'>, other: Pick<Planned, 'hits' | 'target'>): boolean =>
  one.hits === 'one' && other.hits === 'one' && one.target.zone !== undefined && one.target.zone === other.target.zone;
