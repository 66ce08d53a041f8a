import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { afterEach, expect, jest, test } from '@jest/globals';
import { forward, printLine, type LogFormat } from '../src/log.ts';

let printed = '';
const write = jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
  printed += String(text);
  return true;
});
afterEach(() => {
  printed = '';
  write.mockClear();
});

async function printedOf(format: LogFormat, ...lines: string[]): Promise<string> {
  const output = new PassThrough();
  forward('tasks', output, format);
  output.end(lines.map((line) => `${line}\n`).join(''));
  await once(output, 'close');
  return printed;
}

const line = (fields: object): string =>
  JSON.stringify({ level: 'info', time: '2026-11-21T12:00:00.123Z', service: 'tasks', ...fields });

test('a text line has time, service, level, message and further fields', async () => {
  expect(await printedOf('text', line({ msg: 'queue declared', queue: 'tasks.outcomes' }))).toBe(
    '12:00:00.123 tasks           INFO: queue declared {"queue":"tasks.outcomes"}\n',
  );
});

test('a line of a process that hosts several services names the service', async () => {
  expect(await printedOf('text', line({ msg: 'ready' }), line({ service: 'rbac', msg: 'ready' }))).toBe(
    '12:00:00.123 tasks           INFO: ready\n12:00:00.123 rbac            INFO: ready\n',
  );
});

test('errors show their message and stack', async () => {
  const err = { type: 'Error', message: 'broken', stack: 'Error: broken\n    at here (file.ts:1)' };
  const text = await printedOf('text', line({ level: 'error', msg: 'it failed', err }));
  expect(text).toMatch(/^12:00:00\.123 tasks {11}ERROR: it failed/);
  expect(text).toContain('"message": "broken"');
  expect(text).toContain('at here (file.ts:1)');
});

test('text of a library becomes log lines in both formats', async () => {
  expect(await printedOf('text', 'be careful')).toMatch(/^[\d:.]+ tasks {11}INFO: be careful\n$/);
  printed = '';
  expect(JSON.parse(await printedOf('json', 'be careful'))).toMatchObject({ service: 'tasks', msg: 'be careful' });
});

test('JSON is forwarded unchanged', async () => {
  expect(await printedOf('json', line({ msg: 'ready' }))).toBe(`${line({ msg: 'ready' })}\n`);
});

test('the stack formats its own lines in the same way', () => {
  printLine('text', '  ready');
  printLine('json', 'ready');
  const [text = '', json = ''] = printed.split('\n');
  expect(text).toMatch(/^[\d:.]+ stack {11}INFO: {3}ready$/);
  expect(JSON.parse(json)).toMatchObject({ level: 'info', service: 'stack', msg: 'ready' });
});
