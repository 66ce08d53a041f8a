import { sumSystemCpu, type CpuTimes } from '../measure/processes.ts';
import type { Figure } from '../scenario.ts';

/**
 * Budget of a trade under load in CPU microseconds per process, on two cores of the machine in
 * docs/operate/performance.md.
 */
const budget: Readonly<Record<string, number>> = {
  gateway: 200,
  tasks: 130,
  inventory: 120,
  events: 50,
  postgresql: 400,
  rabbitmq: 70,
};
const OTHERS_BUDGET = 30;
const LOAD = 'load';

const hasBudget = (name: string): boolean => Object.hasOwn(budget, name);

/** CPU of a trade by process with its budget. Processes without one share a budget. */
export function budgetFigures(rounds: readonly CpuTimes[]): Figure[] {
  const names = Object.keys(rounds[0] ?? {});
  const figure = (name: string, select: (cpu: CpuTimes) => number, atMost?: number): Figure => ({
    name: `CPU of a trade, ${name}`,
    unit: 'µs',
    rounds: rounds.map(select),
    ...(atMost === undefined ? {} : { target: { atMost } }),
  });
  const others = names.filter((name) => !hasBudget(name) && name !== LOAD);
  const all = Object.values(budget).reduce((sum, each) => sum + each, OTHERS_BUDGET);
  return [
    figure('without the load', sumSystemCpu, all),
    ...names.map((name) => figure(name, (cpu) => cpu[name] ?? 0, budget[name])),
    figure('all others together', (cpu) => others.reduce((sum, name) => sum + (cpu[name] ?? 0), 0), OTHERS_BUDGET),
  ];
}
