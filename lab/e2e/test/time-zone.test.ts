import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

const program = new URL('support/time-zone.ts', import.meta.url).pathname;
const LIMIT_MS = 110_000;

test('dates are in UTC in any time zone', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [program], {
    env: { ...process.env, TZ: 'America/New_York' },
    timeout: LIMIT_MS,
  });
  const period = { start: '2024-03-10T02:30:00.000Z', end: '2024-12-31T23:59:59.999Z' };
  expect(JSON.parse(stdout)).toEqual({
    offsetMinutes: 300,
    channel: period,
    registry: period,
    issuance: { from: '2024-03-10T02:30:00.000Z', to: '2024-11-03T05:30:00.000Z' },
  });
});
