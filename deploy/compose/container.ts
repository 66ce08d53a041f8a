// Lines of containers in docker-compose.yml and docker-compose.all-in-one.yml.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  httpPorts,
  isPublished,
  identityOf,
  listMigrationSecretVariables,
  readsVariable,
  listSecretVariables,
  tlsFiles,
  type ImageName,
  type ProgramName,
  type ServiceName,
  imageNames,
} from '@saleschannel/installation';
import { GENERATED } from '../manifest-text.ts';
import { interpolation } from './environment.ts';

// deploy/compose/versions.env: versions of the programs' images, for deploy/compose/use-release.sh.

const root = resolve(import.meta.dirname, '../..');

/** Registry of images built on this machine. The name cannot belong to a real registry. */
const LOCAL_REGISTRY = 'localhost/saleschannel';

/** Setting with the tag of a program's image, optionally with a digest. */
export const versionVariable = (program: ImageName): string => `${program.toUpperCase().replaceAll('-', '_')}_VERSION`;

function versionOf(program: ImageName): string {
  const manifest = readFileSync(join(root, 'apps', program, 'package.json'), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}

/** Contents of deploy/compose/versions.env. */
export const versionsFile = (): string =>
  [`# ${GENERATED}`, ...imageNames.map((name) => `${versionVariable(name)}=${versionOf(name)}`), ''].join('\n');

/** docker-compose 1.29 has no nested defaults, so there is no common version. */
export const toImage = (program: ImageName): string =>
  `${interpolation('IMAGE_REGISTRY', LOCAL_REGISTRY)}/${program}:${interpolation(versionVariable(program), 'local')}`;

/** Images that are built here are never pulled. */
export const PULL_POLICY = `    pull_policy: ${interpolation('IMAGE_PULL_POLICY', 'never')}`;

export const imageLines = (program: ImageName, anchor = ''): string[] => [
  `    image: ${toImage(program)}`,
  PULL_POLICY,
  `    build: ${anchor}`.trimEnd(),
  '      context: .',
  '      dockerfile: deploy/docker/Dockerfile',
  `      args: { APP: ${program} }`,
];

export const listMigrationSecretNames = (service: ServiceName): string[] =>
  listMigrationSecretVariables(service).map(({ file }) => file);

export const listSecretNames = (program: ProgramName): string[] => [
  ...listSecretVariables(program).map(({ file }) => file),
  ...(readsVariable(program, 'GRPC_TLS_CERT_FILE') ? tlsFiles.map((file) => `${identityOf(program)}-${file}`) : []),
];

/** Joins only the networks with a communication partner. */
export function listNetworks(...programs: readonly ProgramName[]): string[] {
  const isIn: Record<string, boolean> = {
    edge: programs.some(isPublished),
    services: true,
    database: programs.some((program) => readsVariable(program, 'DATABASE_URL')),
    broker: programs.some((program) => readsVariable(program, 'AMQP_URL')),
    // To the issuer of access tokens. Also for the development provider, because a container with only internal
    // networks cannot publish a port.
    outbound: programs.some((program) => readsVariable(program, 'OIDC_ISSUER') || program === 'dev-idp'),
    receivers: programs.some((program) => readsVariable(program, 'WEBHOOK_SECRET_KEYS')),
  };
  return Object.keys(isIn).filter((network) => isIn[network]);
}

/** Networks of a container, with additional names. */
export function networkLines(networks: readonly string[], aliasesOn: (network: string) => readonly string[]): string[] {
  if (networks.every((network) => aliasesOn(network).length === 0)) return [`    networks: [${networks.join(', ')}]`];
  const aliases = (names: readonly string[]): string => (names.length > 0 ? ` aliases: [${names.join(', ')}] ` : '');
  return ['    networks:', ...networks.map((network) => `      ${network}: {${aliases(aliasesOn(network))}}`)];
}

/** Published on the loopback address by default. */
export const publishedPort = (name: ServiceName): string =>
  `'${interpolation(`${name.toUpperCase()}_PORT`, `127.0.0.1:${httpPorts.get(name)}`)}:${httpPorts.get(name)}'`;

export const httpHealth = (port: number, path: string): string[] => [
  '    healthcheck:',
  `      test: [CMD, node, deploy/docker/health.ts, 'http://127.0.0.1:${port}${path}']`,
  '      interval: 15s',
  '      timeout: 10s',
  '      retries: 4',
  '      start_period: 60s',
];
