import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { experimental, type ChannelOptions } from '@grpc/grpc-js';
import { createServiceTokens, privateKeySchema, type KeyHolder, createTokenVerifier } from '@saleschannel/auth';
import { createAuthority, issueCertificate, type TlsCertificate } from '@saleschannel/auth/pki';
import { silentLogger, type Logger } from '@saleschannel/runtime';
import { identityVariables, neighbour, publicKeys } from '@saleschannel/testing';
import {
  createTls,
  type Credentials,
  type Tls,
  type TlsFiles,
  createClient,
  createGrpcServer,
  type GrpcServer,
  type ServiceClient,
} from '../../src/index.ts';

const TIMEOUT_MS = 20_000;

export interface Rbac extends GrpcServer {
  /** Calls that arrived. */
  readonly calls: number;
}

interface Options {
  readonly tls?: Tls;
  readonly healthPort?: number;
  /** Calls for a sales channel named 'slow' are answered when it resolves. */
  readonly slow?: Promise<void>;
}

/** Starts a replica of the rbac service, with a repeatable RPC and one that is not, for the service traders. */
export async function startRbac({ slow, ...options }: Options = {}): Promise<Rbac> {
  let calls = 0;
  const GetSalesChannel = async ({ salesChannelId: id }: { salesChannelId: string }) => {
    calls += 1;
    if (id === 'slow') await slow;
    return { id, name: 'One' };
  };
  const CreateSalesChannel = ({ name }: { name: string }) => {
    calls += 1;
    return Promise.resolve({ id: 'c1', name });
  };
  const server = createGrpcServer({
    host: '127.0.0.1',
    port: 0,
    services: [
      neighbour('bindingDirectory', ['traders'], { GetSalesChannel }),
      neighbour('rbacAdministration', ['traders'], { CreateSalesChannel }),
    ],
    tokens: createTokenVerifier(publicKeys, 'rbac'),
    logger: silentLogger,
    ...options,
  });
  await server.start();
  return Object.create(server, { calls: { get: () => calls } }) as Rbac;
}

export const rbacClient = (
  address: string,
  tokens: Credentials,
  options: { readonly ageMs?: number } = {},
): ServiceClient<'bindingDirectory'> =>
  createClient('bindingDirectory', { address, tokens, timeoutMs: TIMEOUT_MS, ...options });

export const administrationClient = (
  address: string,
  tokens: Credentials,
  options: { readonly ageMs?: number } = {},
): ServiceClient<'rbacAdministration'> =>
  createClient('rbacAdministration', { address, tokens, timeoutMs: TIMEOUT_MS, ...options });

type Listener = experimental.ResolverListener;
type Uri = experimental.GrpcUri;

const addressesByName = new Map<string, Set<string>>();

/** Resolves test names like a name server: on request only, without caching. */
class TestResolver {
  readonly #name: string;
  readonly #listener: Listener;

  constructor(target: Uri, listener: Listener, _options: ChannelOptions) {
    this.#name = target.path;
    this.#listener = listener;
  }

  updateResolution(): void {
    const endpoints = [...(addressesByName.get(this.#name) ?? [])].map((address) => {
      const { host, port = 0 } = experimental.splitHostPort(address) ?? { host: address };
      return { addresses: [{ host, port }] };
    });
    setImmediate(() => this.#listener(experimental.statusOrFromValue(endpoints), {}, null, ''));
  }

  destroy(): void {}

  static getDefaultAuthority = ({ path }: Uri): string => path;
}

experimental.registerResolver('test', TestResolver as never);

export interface Replicas {
  /** The name for clients. */
  readonly name: string;
  /** Takes effect at a client's next resolution. */
  add(address: string): void;
  /** Makes the name resolve to no address. */
  clear(): void;
}

export function createReplicas(service: string): Replicas {
  const addresses = new Set<string>();
  addressesByName.set(service, addresses);
  return { name: `test:${service}`, add: (address) => void addresses.add(address), clear: () => addresses.clear() };
}

/** Host of a test's server, by transport, for `describe.each`. */
export const transports: readonly (readonly [transport: string, hostOf: () => string])[] = [
  ['over a socket', () => '127.0.0.1'],
  ['inside the process', () => `in-process:${randomUUID()}`],
];

/** Short enough that tests need not wait for changed files. */
const RELOAD_MS = 5;

/** The TLS files of some programs, in a folder of their own. */
export interface TlsFolder {
  readonly authority: TlsCertificate;
  listFiles(name: string): TlsFiles;
  /** Writes the files of a name. The default authority is the folder's own. */
  write(name: string, issued: TlsCertificate, authorities?: string): void;
  issue(program: string, options?: { days?: number; now?: Date }): Promise<TlsCertificate>;
  /** Creates files under a name, with a certificate of that name. */
  createTls(name: string, logger?: Logger): Promise<Tls>;
  remove(): void;
}

export async function createTlsFolder(): Promise<TlsFolder> {
  const folder = mkdtempSync(join(tmpdir(), 'tls-'));
  const authority = await createAuthority('tests');
  const tlsFolder: TlsFolder = {
    authority,
    listFiles: (name) => ({
      certificate: join(folder, `${name}.crt`),
      privateKey: join(folder, `${name}.key`),
      authorities: join(folder, `${name}.ca`),
    }),
    write(name, issued, authorities = authority.certificate) {
      const files = tlsFolder.listFiles(name);
      writeFileSync(files.certificate, issued.certificate);
      writeFileSync(files.privateKey, issued.privateKey);
      writeFileSync(files.authorities, authorities);
    },
    issue: (program, options = {}) => issueCertificate(authority, { program, ...options }),
    async createTls(name, logger = silentLogger) {
      tlsFolder.write(name, await tlsFolder.issue(name));
      return createTls(tlsFolder.listFiles(name), logger, RELOAD_MS);
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
  return tlsFolder;
}

/** Credentials of a program: tokens of its own key, and this certificate. */
export async function createCredentials(program: KeyHolder, tls: Tls | undefined): Promise<Credentials> {
  const key = privateKeySchema.parse(JSON.parse(identityVariables(program)['SERVICE_PRIVATE_KEY'] ?? ''));
  const tokens = await createServiceTokens(program, key);
  return { getToken: (receiver) => tokens.getToken(receiver), tls };
}
