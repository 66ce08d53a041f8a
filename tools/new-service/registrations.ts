import { fillTemplate, type Names } from './names.ts';

/** A list of services outside their own folders, and the text to replace in it. */
interface Registration {
  readonly file: string;
  readonly at: string | RegExp;
  /** Replacement, with the placeholders of names.ts. `$&` is the replaced text. */
  readonly becomes: string;
}

const registrations: readonly Registration[] = [
  { file: 'libs/auth/src/keys.ts', at: "  'sandbox',\n", becomes: "  '__name__',\n$&" },
  { file: 'libs/auth/src/receivers.ts', at: "  'sandbox',\n", becomes: "  '__name__',\n$&" },
  {
    file: 'libs/contracts/src/services.ts',
    at: "import type * as webhooks from './gen/webhooks.v1.ts';\n",
    becomes: "import type * as __camel__ from './gen/__snake__.v1.ts';\n$&",
  },
  {
    file: 'libs/contracts/src/services.ts',
    at: '  sandbox: contract<',
    becomes:
      '  __camel__: contract<__camel__.__Name__ServiceHandlers, __camel__.__Name__ServiceDefinition>(\n' +
      "    '__snake__/v1/__snake__.proto',\n    '__snake__.v1.__Name__Service',\n  ),\n$&",
  },
  {
    file: 'apps/admin/src/environment.ts',
    at: "  EVENTS_ADDRESS: serviceAddress('events'),\n",
    becomes: "$&  __CONSTANT___ADDRESS: serviceAddress('__name__'),\n",
  },
  {
    file: 'apps/admin/src/tools.ts',
    at: "'registry-import': registryImport, webhooks };\n",
    becomes: "'registry-import': registryImport, webhooks, '__name__': values.__CONSTANT___ADDRESS };\n",
  },
  {
    file: 'apps/admin/test/support/admin.ts',
    at: '    EVENTS_ADDRESS: server.address,\n',
    becomes: '$&    __CONSTANT___ADDRESS: server.address,\n',
  },
  {
    file: 'apps/admin/test/powers.test.ts',
    at: "'registry-import', 'webhooks'];\n",
    becomes: "'registry-import', 'webhooks', '__name__'];\n",
  },
  {
    // Until it has a contract with its callers.
    file: 'apps/admin/test/neighbours.test.ts',
    at: '  environment = { SERVICE_PRIVATE_KEY, ',
    becomes: "$&__CONSTANT___ADDRESS: '127.0.0.1:1', ",
  },
  {
    file: 'deploy/installation/test/contracts.test.ts',
    at: "  unaskedEnds('webhooks'),\n",
    becomes: "$&  { consumer: 'admin', provider: '__name__', paths: '', reason: 'New: write the contract.' },\n",
  },
  {
    // Until it has a public operation and metrics.
    file: 'deploy/installation/test/services.test.ts',
    at: "calleesOf('gateway').toSorted()).toEqual(grpcServices.toSorted())",
    becomes: "calleesOf('gateway').toSorted()).toEqual(grpcServices.filter((name) => name !== '__name__').toSorted())",
  },
  {
    file: 'deploy/installation/test/services.test.ts',
    at: "calleesOf('console').toSorted()).toEqual(watched.toSorted())",
    becomes: "calleesOf('console').toSorted()).toEqual(watched.filter((name) => name !== '__name__').toSorted())",
  },
  {
    file: 'deploy/installation/src/services.ts',
    at: "import { environment as webhooks } from '@saleschannel/webhooks/environment';\n",
    becomes: "$&import { environment as __camel__ } from '@saleschannel/__name__/environment';\n",
  },
  {
    file: 'deploy/installation/src/services.ts',
    at: "  {\n    name: 'sandbox',",
    becomes:
      "  {\n    name: '__name__',\n    environment: __camel__,\n" +
      "    description: 'Its purpose, in a sentence.',\n  },\n$&",
  },
  {
    file: 'deploy/installation/test/support/registered.ts',
    at: "import { createRegistrations as webhooks } from '@saleschannel/webhooks/rpc';\n",
    becomes: "$&import { createRegistrations as __camel__ } from '@saleschannel/__name__/rpc';\n",
  },
  {
    file: 'deploy/installation/test/support/registered.ts',
    at: '  webhooks,\n};',
    becomes: "  webhooks,\n  '__name__': __camel__,\n};",
  },
  { file: 'deploy/installation/test/variables.test.ts', at: '    sandbox: 11,\n', becomes: "$&    '__name__': 12,\n" },
  { file: 'tools/check-conventions.ts', at: "  'sandbox',\n];", becomes: "  '__name__',\n$&" },
  {
    file: 'tools/check-conventions.ts',
    at: '|registry-import|webhooks)',
    becomes: '|registry-import|webhooks|__name__)',
  },
  { file: 'oxlint.config.ts', at: "  'sandbox',\n];", becomes: "  '__name__',\n$&" },
  {
    file: '.github/CODEOWNERS',
    at: '\n# dev-idp\n',
    becomes:
      '\n# __name__\n/apps/__name__/ @saleschannel/__name__-team\n' +
      '/protos/__snake__/ @saleschannel/__name__-team @saleschannel/platform-team\n' +
      '/deploy/helm/services/__name__/ @saleschannel/__name__-team\n$&',
  },
  { file: 'nx.json', at: /"sandbox",/, becomes: '"__name__", $&' },
  {
    file: 'apps/all-in-one/src/hostable.ts',
    at: '  sandbox: async',
    becomes: "  '__name__': async () => hosted((await import('@saleschannel/__name__/app')).service),\n$&",
  },
  {
    file: 'apps/all-in-one/package.json',
    at: '    "@saleschannel/webhooks": "*"',
    becomes: '    "@saleschannel/__name__": "*",\n$&',
  },
  {
    file: 'deploy/installation/package.json',
    at: '    "@saleschannel/webhooks": "*"',
    becomes: '    "@saleschannel/__name__": "*",\n$&',
  },
];

export const listRegistrationFiles = (): string[] => [
  ...new Set(registrations.map(({ file }) => file)),
  'package-lock.json',
];

/**
 * Adds the service to a file.
 * @throws Error if the file no longer contains the text to replace
 */
export function register(file: string, text: string, names: Names): string {
  return registrations
    .filter((each) => each.file === file)
    .reduce((before, { at, becomes }) => {
      const constant = names.snake.toUpperCase();
      const replacement = fillTemplate(becomes.replaceAll('__CONSTANT__', constant), names);
      const after = before.replace(at, (found) => replacement.replaceAll('$&', found));
      if (after === before) throw new Error(`${file} no longer contains ${String(at).trim()}: see tools/new-service`);
      return after;
    }, text);
}

interface Lock {
  packages: Record<string, object>;
}

/** package-lock.json as npm install would write it. */
export function addToLock(text: string, manifest: object, { name }: Names): string {
  const lock = JSON.parse(text) as Lock;
  const { name: scoped, version, dependencies, devDependencies } = manifest as Record<string, unknown>;
  const entries = { ...lock.packages };
  entries[`apps/${name}`] = { name: scoped, version, dependencies, devDependencies };
  entries[`node_modules/@saleschannel/${name}`] = { resolved: `apps/${name}`, link: true };
  const installation = entries['deploy/installation'] as { dependencies: Record<string, string> };
  const needed = Object.entries({ ...installation.dependencies, [`@saleschannel/${name}`]: '*' });
  const sorted = Object.fromEntries(needed.toSorted(([one], [other]) => (one < other ? -1 : 1)));
  entries['deploy/installation'] = { ...installation, dependencies: sorted };
  const [root, ...others] = Object.entries(entries);
  // npm sorts workspaces.
  const inOrder = others.toSorted(([one], [other]) => one.localeCompare(other, 'en'));
  const packages = Object.fromEntries([root as [string, object], ...inOrder]);
  return `${JSON.stringify({ ...lock, packages }, null, 2)}\n`;
}
