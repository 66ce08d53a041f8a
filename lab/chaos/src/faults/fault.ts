import type { Installation } from '../fleet/installation.ts';
import { replicaName, zones, type Unit, type Zone } from '../fleet/replicas.ts';
import type { Server } from '../fleet/servers.ts';

/** Target of a fault. */
export interface Target {
  readonly name: string;
  /** Zone of the replicas that it affects. Undefined if it is not limited to one. */
  readonly zone: Zone | undefined;
}

/** Properties of a fault that the schedule needs. */
export interface FaultKind {
  readonly kind: string;
  /** `one`: one replica, while another one works. `all`: all replicas, or a server that they need. */
  readonly hits: 'one' | 'all';
  readonly targets: readonly Target[];
  /** Shortest and longest time from the injection to the healing. */
  readonly seconds: readonly [number, number];
  /** Relative frequency, after each kind has occurred once. */
  readonly weight: number;
}

/** One occurrence of a fault. */
export interface FaultOccurrence {
  readonly target: string;
  readonly forMs: number;
  /** Random numbers from 0 to 1, the same for the same schedule. */
  readonly random: () => number;
}

/** Heals a fault. Stopped processes are ready when it resolves. */
export type Heal = () => Promise<void> | void;

export interface Fault extends FaultKind {
  /** May last as long as the fault, if the fault has several steps. */
  inject(installation: Installation, hit: FaultOccurrence): Promise<Heal> | Heal;
}

export const noHealing: Heal = () => undefined;

/** Creates a target outside all zones. */
export const zonelessTarget = (name: string): Target => ({ name, zone: undefined });

/** Replicas that always exist. */
export const replicaTargets = (units: readonly Unit[]): Target[] =>
  units.flatMap((unit) => zones.map((zone) => ({ name: replicaName(unit, zone), zone })));

/** Creates a fault of a server, or of all replicas. */
export const createGlobalFault = (
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
