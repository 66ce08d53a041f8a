import type { Unit } from '../fleet/layout.ts';
import { replicaTargets, type Fault } from './fault.ts';

/** Clocks of an installation must agree within five seconds (docs/operate/README.md). */
const SHIFT_MS = 4_000;

const clockFault = (kind: string, units: readonly Unit[], shiftMs: number): Fault => ({
  kind,
  hits: 'one',
  targets: replicaTargets(units),
  seconds: [5, 25],
  weight: 1,
  inject({ fleet }, { target }) {
    const replica = fleet.replica(target);
    fleet.shiftClock(replica, shiftMs);
    return () => fleet.shiftClock(replica, 0);
  },
});

export const clockFaults = (units: readonly Unit[]): Fault[] => [
  clockFault('clock-ahead', units, SHIFT_MS),
  clockFault('clock-behind', units, -SHIFT_MS),
];
