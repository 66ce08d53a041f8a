import { count, interaction, whole, type Interaction } from '@saleschannel/testing/contracts';

/** Activity that a service reports. */
const parts = {
  outbox: { ageSeconds: count(1.5), refused: whole('2') },
  changes: whole('10'),
  waitingTasks: whole('7'),
  unfinishedImports: whole('3'),
} as const;

/** @param given state with activity to report */
export const activity = (given: string, ...names: readonly (keyof typeof parts)[]): Interaction =>
  interaction('activity.GetActivity', {
    given,
    values: {},
    request: () => ({}),
    answer: () => Object.fromEntries(names.map((name) => [name, parts[name]])),
  });
