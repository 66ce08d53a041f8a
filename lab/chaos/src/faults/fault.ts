import type { Installation } from '../fleet/installation.ts';
import { replicaName, zones, type Unit, type Zone } from '../fleet/layout.ts';
import type { Server } from '../fleet/servers.ts';

/** Something that a fault may hit. */
export interface Target {
  readonly name: string;
  /** Whose replicas it hits. Undefined: no single zone's. */
  readonly zone: Zone | undefined;
}

/** What the schedule knows of a fault. */
export interface FaultKind {
  readonly kind: string;
  /** One replica, beside which another one works, or what all of them need. */
  readonly hits: 'one' | 'all';
  readonly targets: readonly Target[];
  /** Shortest and longest time from its beginning until it is healed. */
  readonly seconds: readonly [number, number];
  /** How often it comes beside others, after each kind has come once. */
  readonly weight: number;
}

/** One occurrence of a fault. */
export interface Hit {
  readonly target: string;
  readonly forMs: number;
  /** Numbers from 0 to 1, the same for the same schedule. */
  readonly random: () => number;
}

/** Ends what a fault has begun. What was stopped is ready again then. */
export type Heal = () => Promise<void> | void;

export interface Fault extends FaultKind {
  /** May take as long as the fault lasts, for one that consists of several steps. */
  inject(installation: Installation, hit: Hit): Promise<Heal> | Heal;
}

export const nothingToHeal: Heal = () => undefined;

/** A target that is in no zone. */
export const everywhere = (name: string): Target => ({ name, zone: undefined });

/** Every replica that there always is. */
export const replicasOf = (units: readonly Unit[]): Target[] =>
  units.flatMap((unit) => zones.map((zone) => ({ name: replicaName(unit, zone), zone })));

/** A fault of something that there is once, or of all replicas. */
export const faultOfAll = (
  kind: string,
  targets: Fault['targets'],
  seconds: Fault['seconds'],
  weight: number,
  inject: Fault['inject'],
): Fault => ({ kind, hits: 'all', targets, seconds, weight, inject });

export async function kill(server: Server): Promise<Heal> {
  await server.kill();
  return () => server.start();
}

export function pause(process: Pick<Server, 'pause' | 'resume'>): Heal {
  process.pause();
  return () => process.resume();
}
