import { count, interaction, whole, type Interaction } from '@saleschannel/testing/contracts';

/** What a service tells of itself, as far as it has any of it. */
const parts = {
  outbox: { ageSeconds: count(1.5), refused: whole('2') },
  changes: whole('10'),
  waitingTasks: whole('7'),
  unfinishedImports: whole('3'),
} as const;

/** @param given a state in which there is something to tell */
export const activity = (given: string, ...names: readonly (keyof typeof parts)[]): Interaction =>
  interaction('activity.GetActivity', {
    given,
    values: {},
    request: () => ({}),
    answer: () => Object.fromEntries(names.map((name) => [name, parts[name]])),
  });
