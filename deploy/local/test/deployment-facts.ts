import { spawnSync } from 'node:child_process';
import type { Environment } from '@saleschannel/runtime';
import { projectRoot } from '../src/paths.ts';
import { addressVariable, databaseServices, grpcServices, services } from '../src/services.ts';

/** What the tests of the deployments know of the services, from what these declare. */

export const GRPC_PORT = '50051';
export const METRICS_PORT = '9464';
export const NAMESPACE = 'saleschannel';
export const ADMIN = 'admin';
export const ISSUER = 'https://id.example.org/';
/** Everything but the identity provider of development, which is nowhere in production. */
export const production = services.filter(({ name }) => name !== 'dev-idp');
export const withoutGrpc = new Set(['gateway', 'dev-idp']);
export const jobs = databaseServices.map((name) => `migrate-${name}`);

export const secretNames = new Set(
  services.flatMap(({ environment }) =>
    Object.entries(environment).flatMap(([name, { secret }]) => (secret ? [name] : [])),
  ),
);
/** What the admin command reads is read by some service too, and means the same there. */
export const adminEnvironment: Environment = Object.fromEntries(
  [
    'SERVICE_PRIVATE_KEY',
    'AMQP_URL',
    'AMQP_NAMESPACE',
    'IDENTITY_ADDRESS',
    'RBAC_ADDRESS',
    'REGISTRY_IMPORT_ADDRESS',
  ].map((name) => {
    const variable = services.map(({ environment }) => environment[name]).find((each) => each !== undefined);
    if (!variable) throw new Error(`nobody reads ${name}`);
    return [name, variable];
  }),
);
export const environmentOf = (name: string): Environment =>
  name === ADMIN ? adminEnvironment : (services.find((each) => each.name === name)?.environment ?? {});

export const required = (environment: Environment): string[] =>
  Object.entries(environment).flatMap(([name, { optional, fallback }]) =>
    optional || fallback !== undefined ? [] : [name],
  );
/** Services that this one calls, by the addresses that it reads. */
export const calledBy = (name: string): string[] =>
  grpcServices.filter((other) => addressVariable(other) in environmentOf(name));
export const callersOf = (name: string): string[] =>
  [...production.map((each) => each.name), ADMIN].filter((other) => calledBy(other).includes(name as never));

export const run = (
  program: string,
  args: string[],
  cwd = projectRoot,
): { status: number | null; stdout: string; stderr: string } => {
  const { PATH, HOME } = process.env;
  return spawnSync(program, args, { cwd, encoding: 'utf8', env: { PATH, HOME } });
};
export const isInstalled = (program: string): boolean => run('sh', ['-c', `command -v ${program}`]).status === 0;
