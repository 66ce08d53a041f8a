import { ofSystem, type CpuTimes } from '../measure/processes.ts';
import type { Figure } from '../scenario.ts';

/** CPU microseconds that a trade among many may cost each process, on two cores of the machine of the figures. */
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

/** CPU of a trade by process, beside what it may cost: those with a budget of their own, and all others together. */
export function budgetFigures(rounds: readonly CpuTimes[]): Figure[] {
  const names = Object.keys(rounds[0] ?? {});
  const figure = (name: string, of: (cpu: CpuTimes) => number, atMost?: number): Figure => ({
    name: `CPU of a trade, ${name}`,
    unit: 'µs',
    rounds: rounds.map(of),
    ...(atMost === undefined ? {} : { target: { atMost } }),
  });
  const others = names.filter((name) => !hasBudget(name) && name !== LOAD);
  const all = Object.values(budget).reduce((sum, each) => sum + each, OTHERS_BUDGET);
  return [
    figure('without the load', ofSystem, all),
    ...names.map((name) => figure(name, (cpu) => cpu[name] ?? 0, budget[name])),
    figure('all others together', (cpu) => others.reduce((sum, name) => sum + (cpu[name] ?? 0), 0), OTHERS_BUDGET),
  ];
}
