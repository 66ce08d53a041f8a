import { expect, test } from '@jest/globals';
import { pause, retryAfterMs } from '../src/timing.ts';

const now = Date.parse('2026-03-04T10:00:00.000Z');

test.each([
  ['0', 0],
  [' 7 ', 7_000],
  ['3600', 3_600_000],
  ['99999999999999', 99_999_999_999_999_000],
  ['Wed, 04 Mar 2026 10:00:05 GMT', 5_000],
  ['Wednesday, 04-Mar-26 10:00:05 GMT', 5_000],
  ['Wed, 04 Mar 2026 09:00:00 GMT', 0],
])('Retry-After: %s is %i ms', (header, ms) => expect(retryAfterMs(header, now)).toBe(ms));

// Date.parse reads many of these as past dates, which would mean an immediate retry.
test.each(['', '-5', '1.5', '120, 5', '5 s', 'soon', '2001-01-01'])('Retry-After: %s is ignored', (header) =>
  expect(retryAfterMs(header, now)).toBeUndefined(),
);

test('a delay beyond the timer limit does not fire at once', async () => {
  const ending = new AbortController();
  const long = pause(2 ** 40, ending.signal).then(
    () => 'over',
    () => 'aborted',
  );
  expect(await Promise.race([long, pause(30, undefined)])).toBeUndefined();
  ending.abort();
  expect(await long).toBe('aborted');
});
