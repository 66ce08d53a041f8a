import { X509Certificate } from 'node:crypto';
import { expect, test } from '@jest/globals';
import {
  completeSecrets,
  programsWithKey,
  parseSecrets,
  rotate,
  toTlsFiles,
  type Secrets,
} from '@saleschannel/installation';

const authoritiesIn = (pem: string): X509Certificate[] =>
  (pem.match(/-----BEGIN[^]*?-----END[^\n]*/g) ?? []).map((each) => new X509Certificate(each));

/** True if programs of the first installation trust programs of the second. */
const believes = (these: Secrets, those: Secrets): boolean => {
  const shown = new X509Certificate(toTlsFiles('tasks', those.tls)['tls.crt']);
  return authoritiesIn(toTlsFiles('rbac', these.tls)['ca.crt']).some(({ publicKey }) => shown.verify(publicKey));
};

const first = await completeSecrets({});

test('every program has a certificate with its name, kept when secrets are completed again', async () => {
  for (const program of programsWithKey)
    expect(new X509Certificate(toTlsFiles(program, first.tls)['tls.crt']).subjectAltName).toBe(`DNS:${program}`);
  const { inventory, ...others } = first.tls.programs;
  const again = await completeSecrets(
    parseSecrets(JSON.stringify({ ...first, tls: { ...first.tls, programs: others } })),
  );
  expect(again.tls).toEqual({ ...first.tls, programs: { ...others, inventory: again.tls.programs['inventory'] } });
  expect(again.tls.programs['inventory']).not.toEqual(inventory);
  expect(() => toTlsFiles('nobody', first.tls)).toThrow('no TLS certificate of nobody');
});

test('certificates are renewed by the same authority', async () => {
  const renewed = await rotate(first, 'tls');
  expect(renewed).toEqual({ ...first, tls: { ...first.tls, programs: renewed.tls.programs } });
  expect(renewed.tls.programs['rbac']).not.toEqual(first.tls.programs['rbac']);
  expect([believes(first, renewed), believes(renewed, first)]).toEqual([true, true]);
});

test('the authority rotates in three steps, and each trusts the previous one', async () => {
  const stages = [first];
  for (const step of ['prepare', 'switch', 'finish'])
    stages.push(await rotate(stages.at(-1) as Secrets, 'tls-authority', step));
  for (const [index, stage] of stages.entries())
    for (const other of stages.slice(Math.max(0, index - 1), index + 2)) expect(believes(stage, other)).toBe(true);
  const last = stages.at(-1) as Secrets;
  expect(believes(last, first)).toBe(false);
  expect(authoritiesIn(last.tls.trusted)).toHaveLength(1);
  expect({ ...last, tls: first.tls }).toEqual(first);
});

test('a step out of order is refused', async () => {
  await expect(rotate(first, 'tls-authority', 'switch')).rejects.toThrow('"prepare" comes first');
  const prepared = await rotate(first, 'tls-authority', 'prepare');
  await expect(rotate(prepared, 'tls-authority', 'prepare')).rejects.toThrow('"switch" is next');
  await expect(rotate(prepared, 'tls-authority', 'finish')).rejects.toThrow('"switch" is next');
  const switched = await rotate(prepared, 'tls-authority', 'switch');
  await expect(rotate(switched, 'tls-authority', 'prepare')).rejects.toThrow('"finish" is next');
});
