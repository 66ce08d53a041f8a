import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { readPdfText } from '@saleschannel/testing';
import { startPortal, type TestPortal } from './support/portal.ts';
import { ISSUANCE, Register } from './support/register.ts';

/** Marks of a sandbox, and of its statements elsewhere. */

const ID = '3q2-7wABz0mV9kQe1xTn4A';
const BAND = '<aside class="sandbox"';
/** Includes the installation of pdftotext. */
const LIMIT_MS = 240_000;
const RANGES = 200;

let portal: TestPortal;
/** Portal of an ordinary installation, which shows statements of a sandbox too. */
let real: string;
let register: Register;

beforeAll(async () => {
  jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  jest.spyOn(console, 'info').mockImplementation(() => undefined);
  portal = await startPortal({ variables: { SANDBOX: 'true' } });
  real = await portal.startReplica({ SANDBOX: 'false' });
  register = await Register.create();
  register.answerFor(portal.upstream);
});
afterAll(() => portal.stop());

const paths = [
  '/',
  '/keys',
  '/nothing',
  '/register',
  '/verify',
  `/verify?id=${ISSUANCE}_121`,
  `/r/${ID}`,
  '/r/nothing',
];

test.each([...paths, '/callback?error=access_denied'])('%s has the banner and the header', async (path) => {
  await register.add();
  const answer = await fetch(`${portal.url}${path}`, { headers: { 'accept-encoding': 'br' } });
  expect(answer.headers.get('sandbox')).toBe('true');
  expect((await answer.text()).split(BAND)).toHaveLength(2);
});

test('answers to programs have the header', async () => {
  for (const path of ['/healthz', '/api/nowhere', '/.well-known/statement-keys.json'])
    expect((await fetch(`${portal.url}${path}`)).headers.get('sandbox')).toBe('true');
});

test.each(paths)('%s of an ordinary installation has no marks', async (path) => {
  await register.add();
  const answer = await fetch(`${real}${path}`);
  expect(answer.headers.get('sandbox')).toBeNull();
  expect(await answer.text()).not.toMatch(/sandbox/i);
});

test('a statement of a sandbox is marked everywhere', async () => {
  const text = await register.add({ facts: { sandbox: true } });
  const page = await (await fetch(`${real}/r/${ID}`)).text();
  expect(page).toContain('no CO₂ was removed');
  expect(page).toContain('data-signed="sandbox" value="true"');
  expect(page).toContain('Signature valid');
  expect(await (await fetch(`${real}/r/${ID}.json`)).json()).toMatchObject({ sandbox: true });
  const pasted = await fetch(`${real}/verify`, { method: 'POST', body: new URLSearchParams({ statement: text }) });
  expect(await pasted.text()).toContain('From a sandbox: no CO₂ was removed.');
});

test('removing the mark of a statement invalidates its signature', async () => {
  const { sandbox, ...stripped } = JSON.parse(await register.add({ facts: { sandbox: true } })) as Record<
    string,
    unknown
  >;
  expect(sandbox).toBe(true);
  register.keep(ID, JSON.stringify(stripped));
  expect(await (await fetch(`${real}/r/${ID}`)).text()).toContain('sandbox differs from the signed value');
});

test(
  'the PDF has a mark across every page',
  async () => {
    const [first] = (JSON.parse(await register.add()) as { certificates: object[] }).certificates;
    const certificates = Array.from({ length: RANGES }, () => first);
    const printed = async (facts: object): Promise<Buffer> => {
      await register.add({ facts: { certificates, ...facts } });
      return Buffer.from(await (await fetch(`${real}/r/${ID}.pdf`)).arrayBuffer());
    };
    const pdf = await printed({ sandbox: true });
    const pages = pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length ?? 0;
    expect(pages).toBeGreaterThan(2);
    // pdftotext reads the letters of the rotated mark one by one.
    const text = await readPdfText(pdf);
    expect(text.split('Sandbox: no CO2 was removed')).toHaveLength(pages + 1);
    expect(text.split(/X O B/)).toHaveLength(pages + 1);
    expect(await readPdfText(await printed({}))).not.toMatch(/sandbox|X O B/i);
  },
  LIMIT_MS,
);
