import { setTimeout as delay } from 'node:timers/promises';
import { replicaName, zones, type Unit } from '../fleet/layout.ts';
import type { Fleet } from '../fleet/fleet.ts';
import { zonelessTarget, noHealing, type Fault } from './fault.ts';

const STEADY_MS = 3_000;
const AT_ONCE = 3;

/** Orderly operations on replicas. None may interrupt clients. */
export const rolloutFaults = (units: readonly Unit[]): Fault[] => [
  {
    kind: 'scale',
    hits: 'one',
    targets: units.map(({ program }) => zonelessTarget(program)),
    seconds: [15, 20],
    weight: 1,
    async inject({ fleet }, { target }) {
      const unit = units.find(({ program }) => program === target);
      if (!unit) throw new Error(`There is no unit ${target}.`);
      const second = fleet.replica(replicaName(unit, 2));
      await retire(fleet, replicaName(unit, 2));
      await delay(STEADY_MS);
      await Promise.all([fleet.start(second), fleet.addThird(unit)]);
      await delay(STEADY_MS);
      await Promise.all([2, 3].map((number) => retire(fleet, replicaName(unit, number))));
      return () => fleet.start(second);
    },
  },
  {
    kind: 'rolling-restart',
    hits: 'one',
    targets: [zonelessTarget('everything')],
    seconds: [40, 40],
    weight: 1,
    async inject({ fleet }) {
      for (const zone of zones)
        for (let first = 0; first < units.length; first += AT_ONCE)
          await Promise.all(
            units.slice(first, first + AT_ONCE).map(async (unit) => {
              const replica = fleet.replica(replicaName(unit, zone));
              await retire(fleet, replica.name);
              await fleet.start(replica);
            }),
          );
      return noHealing;
    },
  },
];

/** @throws Error if the replica does not exit cleanly */
async function retire(fleet: Fleet, name: string): Promise<void> {
  const exit = await fleet.retire(fleet.replica(name));
  if (exit !== 'exit code 0') throw new Error(`${name} was asked to stop, but ended with ${exit ?? 'nothing'}.`);
}
