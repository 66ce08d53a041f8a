import { translated } from '../../shared/i18n/messages.ts';

const text = translated({
  past: 'The day until which beneficiary and purpose are hidden must be in the future.',
  tooLong: (last: string) => `Beneficiary and purpose can be hidden until ${last}, twelve months after the retirement.`,
});

/** The same day a year later, as text. */
const yearAfter = (day: string): string => `${Number(day.slice(0, 4)) + 1}${day.slice(4)}`;

/**
 * Why a statement cannot be hidden until the beginning of a day in UTC. Undefined: it can.
 * @param retiredOn the day of the retirement, in UTC
 */
export function embargoFault(until: string, retiredOn: string, today: string): string | undefined {
  if (until <= today) return text.past;
  const last = yearAfter(retiredOn);
  return until > last ? text.tooLong(last) : undefined;
}

/** A day in UTC, as inputs have it. */
export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);
