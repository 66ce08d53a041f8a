import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { sequence, type Part } from '../src/index.ts';

test('a process that cannot release its work exits for a restart', async () => {
  const child = spawn(process.execPath, [fileURLToPath(new URL('support/unhealthy-service.ts', import.meta.url))], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [log, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  expect(log).toContain('work neither ends nor can be released');
  expect(code).toBe(1);
}, 120_000);

test('joined parts are healthy if each is', () => {
  const part = (isHealthy?: boolean): Part => ({
    ...(isHealthy === undefined ? {} : { isHealthy }),
    start: () => Promise.resolve(),
    stop: () => Promise.resolve(),
  });
  expect(sequence(part(), part(true)).isHealthy).toBe(true);
  expect(sequence(part(), sequence(part(true), part(false))).isHealthy).toBe(false);
});
