import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { sealingKeys, Sealer } from '../src/index.ts';

const key = (letter: string): Uint8Array => Buffer.alloc(32, letter);
const shape = z.object({ id: z.string() });
const content = { id: 'a secret thing' };

describe('a sealed value', () => {
  test('opens for its own purpose only', async () => {
    const sealer = new Sealer([key('a')]);
    const sealed = await sealer.seal('portal-session', content);
    expect(await sealer.open('portal-session', sealed, shape)).toEqual(content);
    expect(await sealer.open('portal-login', sealed, shape)).toBeUndefined();
    expect(await sealer.open('console-session', sealed, shape)).toBeUndefined();
    expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toContain('secret thing');
  });

  test('opens with a previous key, and is sealed with the current one', async () => {
    const before = await new Sealer([key('a')]).seal('p', content);
    const both = new Sealer([key('b'), key('a')]);
    expect(await both.open('p', before, shape)).toEqual(content);
    const after = await both.seal('p', content);
    expect(await new Sealer([key('a')]).open('p', after, shape)).toBeUndefined();
    expect(await new Sealer([key('b')]).open('p', after, shape)).toEqual(content);
  });

  test('does not open after a change of any part, nor as another shape', async () => {
    const sealer = new Sealer([key('a')]);
    const sealed = await sealer.seal('p', content);
    for (let part = 0; part < 5; part++) {
      const parts = sealed.split('.');
      parts[part] = `A${parts[part]}`;
      expect(await sealer.open('p', parts.join('.'), shape)).toBeUndefined();
    }
    for (const text of ['', 'a.b.c', 'nonsense']) expect(await sealer.open('p', text, shape)).toBeUndefined();
    expect(await sealer.open('p', sealed, z.object({ other: z.string() }))).toBeUndefined();
  });
});

test('every key has 32 bytes', () => {
  const text = (length: number): string => Buffer.alloc(length, 'k').toString('base64url');
  expect(sealingKeys.parse(`${text(32)}, ${text(32)}`)).toHaveLength(2);
  for (const wrong of ['', text(31), `${text(32)},`, 'short']) expect(sealingKeys.safeParse(wrong).success).toBe(false);
});
