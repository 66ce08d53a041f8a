import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { createExpress, type Session } from '@saleschannel/edge/pages';
import { silentLogger } from '@saleschannel/runtime';
import { createPipeline, type PipelineOptions, Operators } from '../src/http/pipeline.ts';

type SignIn = Pick<Session, 'signedInAtMs'> & Partial<Pick<Session, 'acr'>>;

interface Contract {
  readonly paths: Record<string, Record<string, { readonly responses: Record<string, unknown> }>>;
  readonly components: { readonly responses: Record<string, { readonly headers: object }> };
}

const ISSUER = 'https://id.example.org/';
const NOW_MS = 1_000_000_000;
const ACT = { id: 'disableUser', path: '/act', method: 'post', status: 200 } as const;
const LOOK = { id: 'searchUsers', path: '/look', method: 'get', status: 200 } as const;

let server: Server | undefined;
afterEach(() => void server?.close());

/** Answers to an operator with this sign-in, for a change and a read. */
async function answersTo(signIn: SignIn, acrs: readonly string[]) {
  const session = { id: 's1', issuer: ISSUER, subject: 'olga', ...signIn };
  const sessions = {
    read: async () => ({ session }),
    refreshIfNeeded: async () => session,
    recordUse: async () => undefined,
  };
  const pipeline = createPipeline({
    sessions: sessions as unknown as PipelineOptions['sessions'],
    operators: new Operators(ISSUER, ['olga']),
    requiredSignIn: { maxAgeSeconds: 900, acrs },
    securityLog: { record: () => undefined } as unknown as PipelineOptions['securityLog'],
    now: () => NOW_MS,
    logger: silentLogger,
  });
  const operation = { query: undefined, body: undefined, handle: async () => ({}) };
  const app = createExpress([], false);
  app.post('/act', pipeline(ACT, operation)).get('/look', pipeline(LOOK, operation));
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const [act, look] = await Promise.all([fetch(`${url}/act`, { method: 'POST' }), fetch(`${url}/look`)]);
  server.close();
  return { act: act.status, challenge: act.headers.get('www-authenticate'), look: look.status };
}

const recent = NOW_MS - 900_000;

test('a change requires a recent sign-in with an accepted context, and a read any sign-in', async () => {
  for (const [signIn, acrs] of [
    [{ signedInAtMs: recent }, []],
    [{ signedInAtMs: recent, acr: 'pwd' }, []],
    [{ signedInAtMs: recent, acr: 'mfa' }, ['phr', 'mfa']],
  ] as const)
    expect(await answersTo(signIn, acrs)).toEqual({ act: 200, challenge: null, look: 200 });
});

test('the contract documents the required sign-in for every change, and for no read', () => {
  const contract = new URL('../src/contract/gen/openapi.json', import.meta.url);
  const { paths, components } = JSON.parse(readFileSync(contract, 'utf8')) as Contract;
  expect(components.responses['OldSignIn']?.headers).toHaveProperty('WWW-Authenticate');
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, { responses }] of Object.entries(operations)) {
      const $ref = `#/components/responses/${method === 'get' ? 'Unauthorized' : 'OldSignIn'}`;
      expect({ path, method, 401: responses['401'] }).toEqual({ path, method, 401: { $ref } });
    }
  }
});

test('an insufficient sign-in is refused with a challenge', async () => {
  for (const [signIn, acrs] of [
    [{ signedInAtMs: recent - 1 }, []],
    [{ signedInAtMs: recent - 1, acr: 'mfa' }, ['mfa']],
    [{ signedInAtMs: recent, acr: 'pwd' }, ['phr', 'mfa']],
    // Session of an earlier release, or of a provider that does not report the context.
    [{ signedInAtMs: recent }, ['mfa']],
  ] as const) {
    const { challenge, ...statuses } = await answersTo(signIn, acrs);
    expect(statuses).toEqual({ act: 401, look: 200 });
    expect(challenge).toMatch(/^Bearer error="insufficient_user_authentication", .*max_age="900"/);
    expect(challenge?.endsWith(`acr_values="${acrs.join(' ')}"`)).toBe(acrs.length > 0);
  }
});

describe('operators', () => {
  const operators = new Operators('https://id.example', ['olga', 'otto']);

  test('operators are the configured subjects of the issuer', () => {
    expect(operators.require({ issuer: 'https://id.example', subject: 'olga' })).toEqual({ name: 'olga' });
    // Discovery of OpenID Connect treats issuers as URLs.
    expect(operators.require({ issuer: 'https://id.example/', subject: 'otto' })).toEqual({ name: 'otto' });
  });

  test.each([
    ['https://id.example', 'anna'],
    ['https://id.example', 'Olga'],
    ['https://id.example', ''],
    ['https://other.example', 'olga'],
    ['https://id.example/realm', 'olga'],
    ['', 'olga'],
  ])('issuer %j, subject %j: forbidden', (issuer, subject) => {
    expect(() => operators.require({ issuer, subject })).toThrow('not an operator');
  });

  test('an empty list allows no operator', () => {
    const none = new Operators('https://id.example', []);
    expect(() => none.require({ issuer: 'https://id.example', subject: '' })).toThrow('not an operator');
  });
});
