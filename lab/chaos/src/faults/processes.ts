import { setTimeout as delay } from 'node:timers/promises';
import { replicaName, zones, type Unit, type Zone, type Replica } from '../fleet/replicas.ts';
import type { Fleet } from '../fleet/fleet.ts';
import {
  zonelessTarget,
  createGlobalFault,
  kill,
  noHealing,
  pause,
  replicaTargets,
  type Fault,
  type Heal,
} from './fault.ts';

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

/** Kills and pauses replicas and servers with SIGKILL and SIGSTOP. */
export const processFaults = (units: readonly Unit[]): Fault[] => [
  {
    kind: 'replica-kill',
    hits: 'one',
    targets: replicaTargets(units),
    seconds: [0, 15],
    weight: 3,
    inject: ({ fleet }, { target }) => killReplicas(fleet, [fleet.replica(target)]),
  },
  {
    kind: 'replica-pause',
    hits: 'one',
    targets: replicaTargets(units),
    seconds: [3, 30],
    weight: 3,
    inject: ({ fleet }, { target }) => pause(fleet.replica(target)),
  },
  createGlobalFault(
    'unit-kill',
    units.map(({ program }) => zonelessTarget(program)),
    [0, 3],
    2,
    ({ fleet }, { target }) =>
      killReplicas(
        fleet,
        fleet.replicas.filter(({ unit }) => unit.program === target),
      ),
  ),
  createGlobalFault(
    'everything-kill',
    [zonelessTarget('everything')],
    [0, 2],
    1,
    async ({ fleet, postgres, broker }) => {
      const heals = await Promise.all([killReplicas(fleet, fleet.replicas), kill(postgres), kill(broker)]);
      return async () => {
        await Promise.all(heals.map((heal) => heal()));
      };
    },
  ),
  crashAfterAccept(units),
];

async function killReplicas(fleet: Fleet, replicas: readonly Replica[]): Promise<Heal> {
  await Promise.all(replicas.map((replica) => fleet.kill(replica)));
  return async () => {
    await Promise.all(replicas.map((replica) => replica.start()));
  };
}

/** An accepted trade is processed for some tens of milliseconds. */
const CRASH_WITHIN_MS = 80;
const onTheWay = ['tasks', 'inventory', 'events'] as const;

/** Kills the replicas of one zone in rotation, each shortly after an accepted trade, for the duration of the fault. */
function crashAfterAccept(units: readonly Unit[]): Fault {
  const hitUnits = units.filter((unit) => onTheWay.some((service) => unit.services.includes(service)));
  return {
    kind: 'crash-after-accept',
    hits: 'one',
    targets: zones.map((zone) => ({ name: `zone ${zone}`, zone })),
    seconds: [25, 40],
    weight: 4,
    async inject({ fleet, log }, { target, forMs, random }) {
      const zone = Number(target.split(' ')[1]) as Zone;
      const replicas = hitUnits.map((unit) => fleet.replica(replicaName(unit, zone)));
      const starts = new Map<Replica, Promise<void>>();
      const crashes: Promise<void>[] = [];
      let count = 0;
      const crash = async (replica: Replica): Promise<void> => {
        await delay(random() * CRASH_WITHIN_MS);
        await fleet.kill(replica);
        count += 1;
        await replica.start();
      };
      let turn = 0;
      const end = fleet.onAccepted(() => {
        const replica = replicas[turn++ % replicas.length];
        if (!replica || starts.has(replica)) return;
        const crashing = crash(replica).finally(() => starts.delete(replica));
        starts.set(replica, crashing);
        crashing.catch(() => undefined);
        crashes.push(crashing);
      });
      await delay(forMs);
      end();
      await Promise.all(crashes);
      log(`  ${count} crashes shortly after an accepted trade`);
      return noHealing;
    },
  };
}
