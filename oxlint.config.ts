import { defineConfig } from 'oxlint';

/** Rules for imports. A file gets only the last override that matches it, so each lists all of its rules. */

interface Ban {
  group: string[];
  message: string;
  allowTypeImports?: boolean;
  /** Limits the ban to these names. */
  importNames?: string[];
}

const services = [
  'identity',
  'rbac',
  'traders',
  'inventory',
  'tasks',
  'events',
  'registry-import',
  'webhooks',
  'sandbox',
];
const apps = [
  ...services,
  'gateway',
  'admin',
  'auditor',
  'cli',
  'bench',
  'chaos',
  'dev-idp',
  'replay',
  'e2e',
  'portal',
  'console',
  'web',
  'docs',
  'all-in-one',
];

const otherProjects: Ban = {
  group: ['**/libs/**', '**/apps/**', '**/clients/**', '**/lab/**', '**/deploy/**', '**/tools/**'],
  message: 'Import another project by its name.',
};
const appsOf = (names: string[]): Ban => ({
  group: names.flatMap((name) => [`@saleschannel/${name}`, `@saleschannel/${name}/*`]),
  message: 'Libraries and apps must not import apps.',
});
const broker: Ban = { group: ['amqplib'], message: 'Only libs/messaging uses RabbitMQ.' };
const express: Ban = {
  group: ['express'],
  message: 'Only the gateway serves HTTP, and libs/edge/src/pages for browsers.',
};
const databases: Ban = {
  group: ['pg', '@mikro-orm/*'],
  message: 'Use PostgreSQL through libs/database, in src/store.',
};
/** Folders that files of another folder must not import. */
const upward = (folders: string[]): Ban => ({
  group: folders.flatMap((folder) => [`../${folder}/**`, `../../${folder}/**`]),
  message:
    'Imports point downwards: rpc, consumers and jobs (and imports) → operations → store and neighbours → domain.',
});
/** Entry points of a service. */
const entrances = ['imports', 'jobs', 'consumers', 'rpc'];
const statements: Ban = {
  group: ['@saleschannel/database'],
  message: 'Move SQL to src/store. Types of the library may be used anywhere.',
  allowTypeImports: true,
};

const pure: Ban = {
  group: ['@saleschannel/database', '@saleschannel/grpc', '@saleschannel/messaging', '@saleschannel/runtime'],
  message: 'The domain must not use the database or the network.',
};

const restrict = (files: string[], ...patterns: Ban[]) => ({
  files,
  rules: { 'no-restricted-imports': ['error', { patterns }] as ['error', object] },
});

const everywhere = [otherProjects, appsOf(apps), broker, express];

/** Pages depend on their contract only. */
const pages: Ban[] = [
  otherProjects,
  broker,
  express,
  databases,
  {
    group: ['@saleschannel/*', '!@saleschannel/gateway/openapi', '!@saleschannel/console/openapi'],
    message: 'Pages depend on their contract only.',
  },
  {
    group: ['@tanstack/react-query'],
    importNames: ['useMutation'],
    message: 'Send changes through useSubmission (shared/api), which sends a double click once.',
  },
];
/** Applications of apps/web with their contracts. */
const pagesOf = { portal: '@saleschannel/gateway/openapi', console: '@saleschannel/console/openapi' };

const overrides = [
  restrict(['libs/**', 'apps/**', 'clients/**', 'lab/**'], ...everywhere, databases),
  restrict(['libs/{database,local-backends}/**', 'lab/testing/**'], otherProjects, appsOf(apps), broker, express),
  // The SDK is published on its own.
  restrict(['clients/sdk/src/**'], ...everywhere, databases, {
    group: ['@saleschannel/*', 'node:*'],
    message: 'The SDK uses only APIs of browsers.',
  }),
  restrict(['clients/cli/src/**'], ...everywhere, databases, {
    group: ['@saleschannel/*', '!@saleschannel/sdk'],
    message: 'The command line depends on the SDK only.',
  }),
  restrict(['libs/messaging/**'], otherProjects, appsOf(apps), express),
  ...services.flatMap((service) => [
    restrict([`apps/${service}/src/**`], ...everywhere, databases, statements),
    restrict([`apps/${service}/src/{app,environment}.ts`], ...everywhere, databases),
    restrict([`apps/${service}/src/store/**`], ...everywhere, upward(['neighbours', 'operations', ...entrances])),
    restrict(
      [`apps/${service}/src/neighbours/**`],
      ...everywhere,
      databases,
      statements,
      upward(['store', 'operations', ...entrances]),
    ),
    restrict([`apps/${service}/src/operations/**`], ...everywhere, databases, statements, upward(entrances)),
    restrict([`apps/${service}/src/domain/**`], ...everywhere, databases, pure, upward(['*'])),
  ]),
  restrict(['libs/edge/src/pages/**', 'apps/{portal,console}/src/**'], otherProjects, appsOf(apps), broker, databases),
  restrict(['apps/web/**'], ...pages),
  ...Object.entries(pagesOf).map(([application, contract]) =>
    restrict([`apps/web/src/${application}/**`], ...pages, {
      group: Object.entries(pagesOf)
        .filter(([other]) => other !== application)
        .flatMap(([other, othersContract]) => [`**/${other}/**`, othersContract]),
      message: `Pages of the ${application} depend on ${contract} and shared modules only.`,
    }),
  ),
  restrict(['apps/gateway/src/**'], otherProjects, appsOf(apps), broker, databases),
  ...['authentication', 'contract', 'limits'].map((folder) =>
    restrict([`apps/gateway/src/${folder}/**`], ...everywhere, databases, upward(['http', 'handlers'])),
  ),
  restrict(['apps/gateway/src/docs/**'], otherProjects, appsOf(apps), broker, databases, upward(['http', 'handlers'])),
  restrict(['apps/gateway/src/http/**'], otherProjects, appsOf(apps), broker, databases, upward(['handlers'])),
  // The auditor shares no code with the services that it checks.
  restrict(['apps/auditor/src/**'], otherProjects, appsOf(apps), express, {
    group: ['@saleschannel/*', '!@saleschannel/runtime'],
    message: 'The auditor must not depend on code of the services.',
  }),
  restrict(['lab/{bench,drill}/**'], otherProjects, broker, express),
  // Chaos acts on the broker like operators and accidents.
  restrict(['lab/chaos/**'], otherProjects, express),
  // References of measurements are independent of the system.
  restrict(['lab/bench/src/reference/**'], otherProjects),
  // Imports only `app.ts` of the services that it hosts.
  restrict(['apps/all-in-one/**'], otherProjects, broker, express, databases),
  restrict(['lab/e2e/**', 'deploy/**'], otherProjects, broker, express),
  restrict(['**/test/**', '**/*.test.ts'], otherProjects),
];

export default defineConfig({
  // Runs in oxlint without ESLint, its peer, which package.json replaces by an empty package.
  jsPlugins: ['eslint-plugin-regexp'],
  plugins: ['typescript', 'import', 'promise', 'node', 'unicorn'],
  categories: { correctness: 'error', suspicious: 'error' },
  rules: {
    'typescript/no-explicit-any': 'error',
    'typescript/consistent-type-imports': 'error',
    // Regular expressions run in linear time.
    'regexp/no-super-linear-backtracking': 'error',
    'regexp/no-super-linear-move': 'error',
    eqeqeq: 'error',
    'no-console': 'error',
    'import/no-cycle': 'error',
    'import/no-unassigned-import': 'off',
    'no-await-in-loop': 'off',
    'no-shadow': 'off',
    'unicorn/no-array-sort': 'off',
    'unicorn/no-array-reverse': 'off',
    'unicorn/consistent-function-scoping': 'off',
    'no-underscore-dangle': 'off',
    'promise/always-return': 'off',
    'promise/no-callback-in-promise': 'off',
    'no-unmodified-loop-condition': 'off',
  },
  overrides: [
    {
      files: [
        'deploy/**',
        'apps/admin/src/**',
        'clients/replay/src/**',
        'lab/bench/src/**',
        'clients/sdk/examples/**',
        'tools/**',
        'docs/**',
      ],
      rules: { 'no-console': 'off' },
    },
    {
      // The rule mistakes a BroadcastChannel, which never leaves its origin, and worker threads for windows.
      files: ['apps/web/**', 'apps/portal/**', 'lab/bench/src/load/webhook-receiver.ts'],
      rules: { 'unicorn/require-post-message-target-origin': 'off' },
    },
    ...overrides,
  ],
  ignorePatterns: ['**/gen/**', '.local/**', 'node_modules/**'],
});
