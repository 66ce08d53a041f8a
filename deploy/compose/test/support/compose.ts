import { readFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseEnv } from 'node:util';
import { parse } from 'yaml';
import { ISSUER, projectRoot, runScript, type Finished } from '../../../installation/test/support/programs.ts';

/** Runs `npm run compose:secrets` for a folder. */
export const generateSecrets = (folder: string, ...args: string[]): Finished =>
  runScript('deploy/compose/generate-secrets.ts', '--folder', folder, ...args);

export const secretFile = (folder: string, name: string): string => join(folder, '.secrets', name);

export const readSecret = (folder: string, name: string): string => readFileSync(secretFile(folder, name), 'utf8');

/** Creates a folder with generated secrets and settings. */
export function folderWithSecrets(...args: string[]): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'saleschannel-compose-'));
  const { status, stderr } = generateSecrets(folder, ...args);
  if (status !== 0) throw new Error(stderr);
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

export interface ComposeService {
  image: string;
  pull_policy?: string;
  build?: object;
  environment?: Record<string, string>;
  secrets?: (string | { source: string; target: string })[];
  networks: string[] | Record<string, { aliases?: string[] }>;
  ports?: string[];
  profiles?: string[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test: string[] };
  command?: string[];
  volumes?: string[];
  restart: string;
  read_only: boolean;
  cap_drop: string[];
  security_opt: string[];
  mem_limit: string;
  cpus: number;
  cpu_shares?: number;
  pids_limit: number;
}

interface Compose {
  services: Record<string, ComposeService>;
  networks: Record<string, object>;
  secrets: Record<string, { file: string }>;
  volumes: Record<string, object>;
}

export const composeText = readFileSync(join(projectRoot, 'docker-compose.yml'), 'utf8');

export const compose = parse(composeText, { merge: true }) as Compose;

/** docker-compose.all-in-one.yml */
export const allInOneCompose = parse(readFileSync(join(projectRoot, 'docker-compose.all-in-one.yml'), 'utf8'), {
  merge: true,
}) as Compose;

export function serviceOf(name: string, file = compose): ComposeService {
  const found = file.services[name];
  if (!found) throw new Error(`docker-compose.yml has no service ${name}`);
  return found;
}

export const networksOf = ({ networks }: ComposeService): string[] =>
  Array.isArray(networks) ? networks : Object.keys(networks);

/** Additional names of a service, by network. */
export const aliasesOf = (service: ComposeService): Record<string, string[]> =>
  Object.fromEntries(
    networksOf(service).map((network) => [
      network,
      Array.isArray(service.networks) ? [] : (service.networks[network]?.aliases ?? []),
    ]),
  );

export const containerVariables = (name: string, file = compose): Record<string, string> =>
  serviceOf(name, file).environment ?? {};

export const containerSecrets = (name: string, file = compose): string[] =>
  (serviceOf(name, file).secrets ?? []).map((secret) => (typeof secret === 'string' ? secret : secret.source));

/** Interpolates `${NAME:-default}`, the only form that the file uses. */
export const interpolate = (text: string, settings: Readonly<Record<string, string | undefined>>): string =>
  text.replaceAll(/\$\{(\w+):-([^}]*)\}/g, (_, name: string, fallback: string) => settings[name] || fallback);

/** Generated settings in a folder, with an issuer. */
export const readSettings = (folder: string): Record<string, string | undefined> => ({
  ...parseEnv(readFileSync(join(folder, '.env'), 'utf8')),
  OIDC_ISSUER: ISSUER,
  PORTAL_URL: 'https://portal.example.org',
});

/** Environment of a container, with the generated secrets and settings of a folder. */
export function containerEnvironment(name: string, folder: string, file = compose): Record<string, string> {
  const onThisMachine = (text: string): string =>
    text.replace(/^\/run\/secrets\/(.+)$/, (_, secret: string) => {
      const source = file.secrets[secret]?.file;
      if (source === undefined) throw new Error(`${name} reads the secret ${secret}, which does not exist`);
      return join(folder, '.secrets', basename(source));
    });
  const settings = readSettings(folder);
  return Object.fromEntries(
    Object.entries(containerVariables(name, file)).map(([variable, text]) => [
      variable,
      onThisMachine(interpolate(text, settings)),
    ]),
  );
}
