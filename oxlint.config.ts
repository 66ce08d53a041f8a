import { defineConfig } from 'oxlint';

/**
 * Which module may import which. The rules of imports are put together here, because a file gets them from the last
 * override that names it: everything that holds for a place stands in one list.
 */

interface Ban {
  group: string[];
  message: string;
  allowTypeImports?: boolean;
  /** Only these names of it. */
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
  message: 'Libraries and apps import no app.',
});
const broker: Ban = { group: ['amqplib'], message: 'RabbitMQ is spoken to by libs/messaging alone.' };
const express: Ban = {
  group: ['express'],
  message: 'HTTP is served by the gateway, and to browsers through libs/edge/src/pages.',
};
const databases: Ban = {
  group: ['pg', '@mikro-orm/*'],
  message: 'PostgreSQL is reached through libs/database, in src/store.',
};
/** Where a file lies decides what it may know. Names of folders beside it that it must not import. */
const upward = (folders: string[]): Ban => ({
  group: folders.flatMap((folder) => [`../${folder}/**`, `../../${folder}/**`]),
  message:
    'Imports point downwards: rpc, consumers and jobs (and imports) → operations → store and neighbours → domain.',
});
/** Where work of a service begins. */
const entrances = ['imports', 'jobs', 'consumers', 'rpc'];
const statements: Ban = {
  group: ['@saleschannel/database'],
  message: 'SQL stands in src/store alone; types of the library may be used anywhere.',
  allowTypeImports: true,
};

const pure: Ban = {
  group: ['@saleschannel/database', '@saleschannel/grpc', '@saleschannel/messaging', '@saleschannel/runtime'],
  message: 'The domain knows neither the database nor the network.',
};

const restrict = (files: string[], ...patterns: Ban[]) => ({
  files,
  rules: { 'no-restricted-imports': ['error', { patterns }] as ['error', object] },
});

const everywhere = [otherProjects, appsOf(apps), broker, express];

/** Pages know their contract, and nothing else of the system. */
const pages: Ban[] = [
  otherProjects,
  broker,
  express,
  databases,
  {
    group: ['@saleschannel/*', '!@saleschannel/gateway/openapi', '!@saleschannel/console/openapi'],
    message: 'Pages stand on their contract alone.',
  },
  {
    group: ['@tanstack/react-query'],
    importNames: ['useMutation'],
    message: 'Send changes through useSubmission (shared/api), which sends a double click once.',
  },
];
/** Applications of apps/web, with the contract of each. */
const pagesOf = { portal: '@saleschannel/gateway/openapi', console: '@saleschannel/console/openapi' };

const overrides = [
  restrict(['libs/**', 'apps/**', 'clients/**', 'lab/**'], ...everywhere, databases),
  restrict(['libs/{database,local-backends}/**', 'lab/testing/**'], otherProjects, appsOf(apps), broker, express),
  // Who installs it has nothing else of this repository.
  restrict(['clients/sdk/src/**'], ...everywhere, databases, {
    group: ['@saleschannel/*', 'node:*'],
    message: 'The SDK stands on what browsers have, and on nothing else.',
  }),
  restrict(['clients/cli/src/**'], ...everywhere, databases, {
    group: ['@saleschannel/*', '!@saleschannel/sdk'],
    message: 'The command line stands on the SDK alone.',
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
      message: `Pages of the ${application} stand on ${contract} and on what is shared.`,
    }),
  ),
  restrict(['apps/gateway/src/**'], otherProjects, appsOf(apps), broker, databases),
  ...['authentication', 'contract', 'limits'].map((folder) =>
    restrict([`apps/gateway/src/${folder}/**`], ...everywhere, databases, upward(['http', 'handlers'])),
  ),
  restrict(['apps/gateway/src/docs/**'], otherProjects, appsOf(apps), broker, databases, upward(['http', 'handlers'])),
  restrict(['apps/gateway/src/http/**'], otherProjects, appsOf(apps), broker, databases, upward(['handlers'])),
  // It shares nothing with those that it checks: it has its own statements and questions, on its own connections.
  restrict(['apps/auditor/src/**'], otherProjects, appsOf(apps), express, {
    group: ['@saleschannel/*', '!@saleschannel/runtime'],
    message: 'The auditor stands on nothing of the services.',
  }),
  restrict(['lab/{bench,drill}/**'], otherProjects, broker, express),
  // It does to the broker what operators and mishaps do, which no service may.
  restrict(['lab/chaos/**'], otherProjects, express),
  // What the system is measured against stands on nothing of it.
  restrict(['lab/bench/src/reference/**'], otherProjects),
  // It hosts them: it takes their `app.ts` and nothing else.
  restrict(['apps/all-in-one/**'], otherProjects, broker, express, databases),
  restrict(['lab/e2e/**', 'deploy/**'], otherProjects, broker, express),
  restrict(['**/test/**', '**/*.test.ts'], otherProjects),
];

export default defineConfig({
  // Runs in oxlint. It needs no ESLint, though it asks for one: package.json puts nothing in its place.
  jsPlugins: ['eslint-plugin-regexp'],
  plugins: ['typescript', 'import', 'promise', 'node', 'unicorn'],
  categories: { correctness: 'error', suspicious: 'error' },
  rules: {
    'typescript/no-explicit-any': 'error',
    'typescript/consistent-type-imports': 'error',
    // A regular expression takes a time that grows with its input, and not with the square of it.
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
      // Takes a BroadcastChannel, which never leaves its origin, and a worker thread for a window.
      files: ['apps/web/**', 'apps/portal/**', 'lab/bench/src/load/webhook-receiver.ts'],
      rules: { 'unicorn/require-post-message-target-origin': 'off' },
    },
    ...overrides,
  ],
  ignorePatterns: ['**/gen/**', '.local/**', 'node_modules/**'],
});
