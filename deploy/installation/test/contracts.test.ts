import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { services } from '@saleschannel/contracts';
import { readContracts, parseRpc } from '@saleschannel/testing/contracts';
import { callersOf, grpcServices, identityOf } from '../src/index.ts';
import { callersOfRpcs } from './support/registered.ts';

/** Calls between programs, and the contracts that cover them. */

interface Exception {
  readonly consumer: string;
  readonly provider: string;
  /** A path or its beginning. */
  readonly paths: string;
  readonly reason: string;
}

const unaskedEnds = (provider: string): Exception => ({
  consumer: 'gateway',
  provider,
  paths: 'audit.v1.AuditService/GetTrailEnds',
  reason: 'Only identity and rbac have a contract for it. One library serves all audit trails.',
});

/** Calls without a contract, with the reason. An entry that is no longer needed fails. */
const open: readonly Exception[] = [
  unaskedEnds('traders'),
  unaskedEnds('inventory'),
  unaskedEnds('registry-import'),
  unaskedEnds('webhooks'),
  {
    consumer: 'admin',
    provider: 'identity',
    paths: 'identity.v1.SessionService/',
    reason: 'Console and portal call it through the same library, and the portal has a contract.',
  },
];

const apps = resolve(import.meta.dirname, '../../../apps');

interface Call {
  readonly consumer: string;
  readonly provider: string;
  readonly path: string;
}

const textOf = ({ consumer, provider, path }: Call): string => `${consumer} calls ${path} of ${provider}`;

/** Every permitted call. */
const allowed: readonly Call[] = grpcServices.flatMap((provider) =>
  [...callersOfRpcs(provider, true)].flatMap(([path, callers]) =>
    callers.map((consumer) => ({ consumer, provider, path })),
  ),
);

const contracts = await readContracts();
const contracted: readonly Call[] = contracts.flatMap(({ consumer, provider, interactions }) =>
  interactions.map((each) => {
    const { key, name } = parseRpc(each);
    return { consumer, provider, path: `${services[key].name}/${name}` };
  }),
);

const isOpen = (call: Call, { consumer, provider, paths }: Exception): boolean =>
  consumer === call.consumer && provider === call.provider && call.path.startsWith(paths);

test('contracts name existing RPCs that the consumer may call', () => {
  const known = new Set(allowed.map(textOf));
  expect(contracted.map(textOf).filter((call) => !known.has(call))).toEqual([]);
});

test('the consumer of a contract has the address of the provider', () => {
  const pairs = grpcServices.flatMap((provider) =>
    callersOf(provider).map((consumer) => `${identityOf(consumer)} → ${provider}`),
  );
  const without = contracts.map(({ consumer, provider }) => `${consumer} → ${provider}`);
  expect(without.filter((pair) => !pairs.includes(pair))).toEqual([]);
});

test.each(contracts.map(({ program, provider }) => [program, provider] as const))(
  'the contract of %s with %s is tested on both sides, and its change is a change of both',
  (program, provider) => {
    const textOfApp = (pattern: string): string =>
      globSync(pattern, { cwd: apps })
        .map((file) => readFileSync(join(apps, file), 'utf8'))
        .join('\n');
    expect(textOfApp(`${program}/test/{neighbours*.test,support/*}.ts`)).toContain(`/contracts/${provider}.ts'`);
    expect(textOfApp(`${provider}/test/contracts.test.ts`)).toContain(`contractTests('${provider}'`);
    expect(textOfApp(`${provider}/package.json`)).toContain(`"{workspaceRoot}/apps/*/test/contracts/${provider}.ts"`);
  },
);

test('every permitted call is in a contract or listed as an exception', () => {
  const named = new Set(contracted.map(textOf));
  const silent = allowed.filter((call) => !named.has(textOf(call)) && !open.some((entry) => isOpen(call, entry)));
  expect(silent.map(textOf)).toEqual([]);
});

test('no exception is in a contract', () => {
  const named = new Set(contracted.map(textOf));
  const missing = allowed.filter((call) => !named.has(textOf(call)));
  const needless = open.filter((entry) => !missing.some((call) => isOpen(call, entry)));
  expect(needless).toEqual([]);
});
