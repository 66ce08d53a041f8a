import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { services } from '@saleschannel/contracts';
import { readContracts, rpcOf } from '@saleschannel/testing/contracts';
import { callersOf, grpcServices, knownAs } from '../src/index.ts';
import { callersOfRpcs } from './support/registered.ts';

/** Who calls whom, and what of it is in a contract. */

/**
 * What no contract names yet, by consumer and by path or its beginning, and what holds it meanwhile. An entry that
 * nothing needs any more fails.
 */
const open: readonly (readonly [consumer: string, paths: string, heldBy: string])[] = [
  ['gateway', 'audit.v1.', 'one library serves all trails: apps/gateway/test/audit.test.ts, apps/e2e'],
  ['gateway', 'identity.v1.', 'every operation in apps/e2e, for its answer is checked against the public contract'],
  ['gateway', 'rbac.v1.RbacService/PageOpenSalesChannels', 'the same: whose channels there are, no state says alone'],
  [
    'gateway',
    'inventory.v1.',
    'documents of the ledger are passed on as they are: apps/e2e holds them to that contract',
  ],
  [
    'gateway',
    'events.v1.EventsService/StreamEvents',
    'no answer is the last one: apps/gateway/test/event-streams.test.ts',
  ],
  ['gateway', 'webhooks.v1.', 'the same'],
  ['gateway', 'registry_import.v1.', 'the same'],
  ['gateway', 'sandbox.v1.', 'the same'],
  ['sandbox', '', 'apps/sandbox/test, and every event of a sandbox in apps/e2e. It is part of no production'],
  ['admin', '', 'apps/admin/test; apps/e2e/test/console.test.ts runs every command and page against real services'],
  [
    'registry-import',
    'traders.v1.TraderDirectoryService/PageSubmittedProposals',
    'passed on as it is to the gateway: apps/e2e',
  ],
];

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

const isOpen = ({ consumer, path }: Call, [whose, paths]: (typeof open)[number]): boolean =>
  consumer === whose && path.startsWith(paths);

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

test.each(contracts.map(({ consumer, provider }) => [consumer, provider] as const))(
  'the contract of %s with %s is tested on both sides, and its change is a change of both',
  (consumer, provider) => {
    const textOfApp = (path: string): string => readFileSync(new URL(`../../../apps/${path}`, import.meta.url), 'utf8');
    expect(textOfApp(`${consumer}/test/neighbours.test.ts`)).toContain(`'./contracts/${provider}.ts'`);
    expect(textOfApp(`${provider}/test/contracts.test.ts`)).toContain(`contractTests('${provider}'`);
    expect(textOfApp(`${provider}/package.json`)).toContain(`"{workspaceRoot}/apps/*/test/contracts/${provider}.ts"`);
  },
);

test('every call that may be made is in a contract, or said to be in none yet', () => {
  const named = new Set(contracted.map(textOf));
  const silent = allowed.filter((call) => !named.has(textOf(call)) && !open.some((entry) => isOpen(call, entry)));
  expect(silent.map(textOf)).toEqual([]);
});

test('nothing is said to be in no contract that is in one', () => {
  const named = new Set(contracted.map(textOf));
  const left = allowed.filter((call) => !named.has(textOf(call)));
  const needless = open.filter((entry) => !left.some((call) => isOpen(call, entry)));
  expect(needless.map(([consumer, paths]) => `${consumer} ${paths}`)).toEqual([]);
});
