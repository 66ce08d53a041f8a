import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { constants, getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { supervise } from '@saleschannel/local';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'saleschannel-supervisor-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** A fake service, which records its starts and stops in the file `notes`. */
function program(text: string): { readonly service: ReturnType<typeof supervise>; notes(): string } {
  const folder = join(root, 'apps/trial/src');
  const file = join(root, 'notes');
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'main.ts'),
    `import { appendFileSync, readFileSync } from 'node:fs';
     import { getPriority } from 'node:os';
     const note = (text: string): void => appendFileSync(${JSON.stringify(file)}, text);
     ${text}
     process.on('SIGTERM', () => process.exit(0));
     process.send?.('ready');
     setInterval(() => undefined, 1_000);`,
  );
  const service = supervise({ name: 'trial', variables: {}, format: 'text', root, yieldsCpu: true });
  return { service, notes: () => (existsSync(file) ? readFileSync(file, 'utf8') : '') };
}

test('a start ends when the service is ready, also after a crash', async () => {
  const { service, notes } = program(`
    note('started ');
    if (readFileSync(${JSON.stringify(join(root, 'notes'))}, 'utf8') === 'started ') process.exit(1);`);
  await service.start();
  expect(notes()).toBe('started started ');
  expect(service.crashes).toBe(1);
  expect(await service.stop()).toBe('exit code 0');
});

test('a service yields cores once it is ready', async () => {
  const { service, notes } = program('note(String(getPriority()));');
  await service.start();
  expect(notes()).toBe(String(getPriority()));
  expect(getPriority(service.pid)).toBe(constants.priority.PRIORITY_BELOW_NORMAL);
  await service.stop();
});
