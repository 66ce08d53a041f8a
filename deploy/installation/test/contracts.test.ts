import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { services } from '@saleschannel/contracts';
import { readContracts, rpcOf } from '@saleschannel/testing/contracts';
import { callersOf, grpcServices, knownAs } from '../src/index.ts';
import { callersOfRpcs } from './support/registered.ts';

/** Who calls whom, and what of it is in a contract. */

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
  reason: 'It is asked of identity and rbac alone. One library serves all trails.',
});

/** What no contract names, and why. An entry that nothing needs any more fails. */
const open: readonly Exception[] = [
  unaskedEnds('traders'),
  unaskedEnds('inventory'),
  unaskedEnds('registry-import'),
  unaskedEnds('webhooks'),
  {
    consumer: 'admin',
    provider: 'identity',
    paths: 'identity.v1.SessionService/',
    reason: 'The console asks by the library by which the portal does, and that one has a contract.',
  },
];

const apps = resolve(import.meta.dirname, '../../../apps');

interface Call {
  readonly consumer: string;
  readonly provider: string;
  readonly path: string;
}

const textOf = ({ consumer, provider, path }: Call): string => `${consumer} asks ${provider} for ${path}`;

/** Every call that somebody may make. */
const allowed: readonly Call[] = grpcServices.flatMap((provider) =>
  [...callersOfRpcs(provider, true)].flatMap(([path, callers]) =>
    callers.map((consumer) => ({ consumer, provider, path })),
  ),
);

const contracts = await readContracts();
const contracted: readonly Call[] = contracts.flatMap(({ consumer, provider, interactions }) =>
  interactions.map((each) => {
    const { key, name } = rpcOf(each);
    return { consumer, provider, path: `${services[key].name}/${name}` };
  }),
);

const isOpen = (call: Call, { consumer, provider, paths }: Exception): boolean =>
  consumer === call.consumer && provider === call.provider && call.path.startsWith(paths);

test('contracts name RPCs that there are, and that the consumer may call', () => {
  const known = new Set(allowed.map(textOf));
  expect(contracted.map(textOf).filter((call) => !known.has(call))).toEqual([]);
});

test('contracts are between programs of which one has the address of the other', () => {
  const pairs = grpcServices.flatMap((provider) =>
    callersOf(provider).map((consumer) => `${knownAs(consumer)} → ${provider}`),
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

test('every call that may be made is in a contract, or said to be in none', () => {
  const named = new Set(contracted.map(textOf));
  const silent = allowed.filter((call) => !named.has(textOf(call)) && !open.some((entry) => isOpen(call, entry)));
  expect(silent.map(textOf)).toEqual([]);
});

test('nothing is said to be in no contract that is in one', () => {
  const named = new Set(contracted.map(textOf));
  const left = allowed.filter((call) => !named.has(textOf(call)));
  const needless = open.filter((entry) => !left.some((call) => isOpen(call, entry)));
  expect(needless).toEqual([]);
});
