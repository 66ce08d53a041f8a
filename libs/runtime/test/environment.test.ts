import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { env, EnvironmentError, toHostedEnvironment, readHostedValues, readEnvironment } from '../src/index.ts';

const environment = {
  NAME: env.text('a name'),
  COUNT: env.integer('a count', { min: 1, max: 10, default: '3' }),
  ADDRESS: env.optional(env.url('an address')),
  KIND: env.oneOf('a kind', ['a', 'b'], { default: 'a' }),
  LIST: env.list('a list', { default: '' }),
  KEY: env.json('a key', z.object({ kid: z.string({ error: 'must have a kid' }) }), {
    secret: true,
    default: '{"kid":"k"}',
  }),
};

test('reads variables, with defaults for unset ones', () => {
  expect(readEnvironment(environment, { NAME: 'n', LIST: ' a, ,b', COUNT: '10' })).toEqual({
    NAME: 'n',
    COUNT: 10,
    ADDRESS: undefined,
    KIND: 'a',
    LIST: ['a', 'b'],
    KEY: { kid: 'k' },
  });
});

test('reports all faults at once', () => {
  const source = { COUNT: '11', ADDRESS: 'ftp://x', KIND: 'c', KEY: '{}' };
  expect(() => readEnvironment(environment, source)).toThrow(
    new EnvironmentError(
      [
        'These variables are missing or invalid:',
        'NAME is not set (a name)',
        'COUNT must be a whole number from 1 to 10',
        'ADDRESS must be a URL that begins with http:// or https://',
        'KIND must be one of a, b',
        'KEY must have a kid',
      ].join('\n  '),
    ),
  );
});

test.each(['1.5', '', 'x', '1e3', '99999999999999999999'])('%j is not an integer', (COUNT) => {
  const read = (): unknown => readEnvironment({ COUNT: env.integer('a count') }, { COUNT });
  expect(read).toThrow(COUNT === '' ? 'COUNT is not set' : 'COUNT must be a whole number');
});

test('only a secret may come from a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'environment-'));
  try {
    const file = join(folder, 'key');
    writeFileSync(file, '{"kid": "from-file"}\n');
    expect(readEnvironment(environment, { NAME: 'n', KEY_FILE: file }).KEY).toEqual({ kid: 'from-file' });
    expect(() => readEnvironment(environment, { NAME_FILE: file })).toThrow('NAME is not set');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

const hosted = { ...toHostedEnvironment('tasks', environment), ...toHostedEnvironment('registry-import', environment) };

test('the own variable of a hosted service overrides a shared one', () => {
  const source = { TASKS__NAME: 'tasks', NAME: 'shared', COUNT: '5', REGISTRY_IMPORT__COUNT: '6' };
  const values = readEnvironment(hosted, source);
  expect(readHostedValues('tasks', values)).toMatchObject({ NAME: 'tasks', COUNT: 5, KIND: 'a' });
  expect(readHostedValues('registry-import', values)).toMatchObject({ NAME: 'shared', COUNT: 6, KIND: 'a' });
});

test('faults of hosted services name the missing or invalid variable once', () => {
  const source = { TASKS__COUNT: '11', KIND: 'c', REGISTRY_IMPORT__NAME: 'n' };
  expect(() => readEnvironment(hosted, source)).toThrow(
    new EnvironmentError(
      [
        'These variables are missing or invalid:',
        'TASKS__NAME is not set (a name)',
        'TASKS__COUNT must be a whole number from 1 to 10',
        'KIND must be one of a, b',
      ].join('\n  '),
    ),
  );
});

test('a hosted secret comes from its own file or from a shared one', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hosted-'));
  const [own, shared] = [join(folder, 'own'), join(folder, 'shared')];
  writeFileSync(own, '{"kid":"own"}');
  writeFileSync(shared, '{"kid":"shared"}');
  const source = { NAME: 'n', TASKS__KEY_FILE: own, KEY_FILE: shared };
  const values = readEnvironment(hosted, source);
  rmSync(folder, { recursive: true });
  expect(values).toMatchObject({ TASKS__KEY: { kid: 'own' }, REGISTRY_IMPORT__KEY: { kid: 'shared' } });
});
