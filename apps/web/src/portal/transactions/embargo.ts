import { translate } from '../../shared/i18n/messages.ts';

const text = translate({
  past: 'The day until which beneficiary and purpose are hidden must be in the future.',
  tooLong: (last: string) => `Beneficiary and purpose can be hidden until ${last}, twelve months after the retirement.`,
});

/** Same day of the next year. */
const yearAfter = (day: string): string => `${Number(day.slice(0, 4)) + 1}${day.slice(4)}`;

/**
 * Error of an embargo until the start of a day in UTC. Undefined if it is valid.
 * @param retiredOn day of the retirement, in UTC
 */
export function checkEmbargo(until: string, retiredOn: string, today: string): string | undefined {
  if (until <= today) return text.past;
  const last = yearAfter(retiredOn);
  return until > last ? text.tooLong(last) : undefined;
}

/** Day in UTC, in the format of date inputs. */
export const toDay = (time: number): string => new Date(time).toISOString().slice(0, 10);
