import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext, type PeerCertificate } from 'node:tls';
import { experimental, type ChannelCredentials, type ClientOptions, type ServerCredentials } from '@grpc/grpc-js';
import { env, meter, type Environment, type Logger, type Values } from '@saleschannel/runtime';

/** Files for mutual TLS between services: all three, or none for plaintext. */
export const tlsEnvironment = {
  GRPC_TLS_CERT_FILE: env.optional(
    env.text("file with this program's TLS certificate and the intermediate certificates"),
  ),
  GRPC_TLS_KEY_FILE: env.optional(env.text('file with the private key of that certificate')),
  GRPC_TLS_CA_FILE: env.optional(
    env.text('file with the CA certificates to trust for the programs of this installation'),
  ),
} satisfies Environment;

export interface TlsFiles {
  readonly certificate: string;
  readonly privateKey: string;
  readonly authorities: string;
}

/** TLS credentials of a program and the authorities that it trusts. The files may change while it runs. */
export interface Tls {
  /** Server credentials, which require client certificates. */
  readonly server: ServerCredentials;
  /** Client credentials for calls to a program. Another program at the address is refused. */
  createClientCredentials(receiver: string): ChannelCredentials;
  /** Reads the files again. If they are unusable, logs an error and keeps the previous ones. */
  reload(): void;
}

/** Interval between reads of the files, while there are listeners or connections. */
const RELOAD_MS = 10_000;

interface Material {
  readonly certificate: Buffer;
  readonly privateKey: Buffer;
  readonly authorities: Buffer;
}

/** @throws Error for unreadable files, or files that do not belong together */
function readMaterial(files: TlsFiles): Material {
  const material = {
    certificate: readFileSync(files.certificate),
    privateKey: readFileSync(files.privateKey),
    authorities: readFileSync(files.authorities),
  };
  if (!new X509Certificate(material.certificate).checkPrivateKey(createPrivateKey(material.privateKey)))
    throw new Error(`${files.privateKey} is not the key of ${files.certificate}.`);
  createSecureContext({ cert: material.certificate, key: material.privateKey, ca: material.authorities });
  return material;
}

const isSame = (one: Material, other: Material): boolean =>
  one.certificate.equals(other.certificate) &&
  one.privateKey.equals(other.privateKey) &&
  one.authorities.equals(other.authorities);

type Provider = experimental.CertificateProvider;
type AuthorityListener = experimental.CaCertificateUpdateListener;
type IdentityListener = experimental.IdentityCertificateUpdateListener;

/**
 * Provides certificates from files. It keeps the previous files until all three are valid together. grpc-js's own
 * provider passes on any content, so a certificate whose key is not written yet would stop all new connections.
 */
function createProvider(files: TlsFiles, logger: Logger, reloadMs: number): Provider & { reload(): void } {
  let current = readMaterial(files);
  let timer: NodeJS.Timeout | undefined;
  meter()
    .createObservableGauge('saleschannel.tls_certificate.remaining', {
      unit: 's',
      description: "Time until the end of this program's TLS certificate",
    })
    .addCallback((result) => {
      const end = new X509Certificate(current.certificate).validToDate.getTime();
      result.observe(Math.round((end - Date.now()) / 1_000));
    });
  const authorityListeners = new Set<AuthorityListener>();
  const identityListeners = new Set<IdentityListener>();

  const notify = {
    authorities: (listener: AuthorityListener) => listener({ caCertificate: current.authorities }),
    identity: (listener: IdentityListener) =>
      listener({ certificate: current.certificate, privateKey: current.privateKey }),
  };
  const reload = (): void => {
    try {
      const found = readMaterial(files);
      if (isSame(found, current)) return;
      current = found;
      authorityListeners.forEach(notify.authorities);
      identityListeners.forEach(notify.identity);
      logger.info('using changed TLS files');
    } catch (error) {
      logger.error({ err: error }, 'cannot use the changed TLS files; keeping the previous ones');
    }
  };
  const watch = (): void => {
    const isNeeded = authorityListeners.size + identityListeners.size > 0;
    if (isNeeded) timer ??= setInterval(reload, reloadMs).unref();
    else timer = void clearInterval(timer);
  };

  return {
    reload,
    addCaCertificateListener(listener) {
      authorityListeners.add(listener);
      watch();
      // Asynchronous, as the library expects: it ignores certificates that arrive before it is ready.
      process.nextTick(notify.authorities, listener);
    },
    removeCaCertificateListener(listener) {
      authorityListeners.delete(listener);
      watch();
    },
    addIdentityCertificateListener(listener) {
      identityListeners.add(listener);
      watch();
      process.nextTick(notify.identity, listener);
    },
    removeIdentityCertificateListener(listener) {
      identityListeners.delete(listener);
      watch();
    },
  };
}

/** A SPIFFE id, whose last part is the program, as in `spiffe://cluster.local/ns/saleschannel/sa/inventory`. */
const SPIFFE = /^spiffe:\/\/[^/]+\/(?:.*\/)?([^/]+)$/;

/**
 * Returns the programs that a certificate names: its DNS names and SPIFFE ids, but not the common name. The authority
 * is the installation's own, so these names can be trusted.
 */
export function readCertificateNames({
  subjectaltname = '',
}: Pick<PeerCertificate, 'subjectaltname'>): ReadonlySet<string> {
  // Node quotes values that look like several names. No program has such a name.
  if (subjectaltname.includes('"')) return new Set();
  return new Set(
    subjectaltname.split(', ').flatMap((entry) => {
      const [, kind, value = ''] = /^(DNS|URI):(.*)$/.exec(entry) ?? [];
      if (kind === 'DNS') return [value];
      return SPIFFE.exec(value)?.[1] ?? [];
    }),
  );
}

/** Returns options to check the certificate for the program's name, not the host's, so the address may be an IP. */
export const tlsOptions = (receiver: string): ClientOptions => ({ 'grpc.ssl_target_name_override': receiver });

/** @throws Error for unreadable files, or files that do not belong together */
export function createTls(files: TlsFiles, logger: Logger, reloadMs = RELOAD_MS): Tls {
  const provider = createProvider(files, logger, reloadMs);
  const clients = new Map<string, ChannelCredentials>();
  const createClientCredentials = (receiver: string): ChannelCredentials =>
    experimental.createCertificateProviderChannelCredentials(provider, provider, {
      checkServerIdentity: (_host: string, certificate: PeerCertificate) => {
        const names = readCertificateNames(certificate);
        return names.has(receiver)
          ? undefined
          : new Error(`The server has a certificate of ${[...names].join()}, not of ${receiver}.`);
      },
    });
  return {
    server: experimental.createCertificateProviderServerCredentials(provider, provider, true),
    createClientCredentials(receiver) {
      // One per receiver: clients with the same credentials share their connections.
      const known = clients.get(receiver) ?? createClientCredentials(receiver);
      clients.set(receiver, known);
      return known;
    },
    reload: () => provider.reload(),
  };
}

/**
 * Reads TLS from the environment. Undefined if it names no file.
 * @throws Error if it names only some of the files, or unusable ones
 */
export function readTls(values: Values<typeof tlsEnvironment>, logger: Logger): Tls | undefined {
  const { GRPC_TLS_CERT_FILE: certificate, GRPC_TLS_KEY_FILE: privateKey, GRPC_TLS_CA_FILE: authorities } = values;
  if (certificate && privateKey && authorities) return createTls({ certificate, privateKey, authorities }, logger);
  if (certificate || privateKey || authorities)
    throw new Error('TLS between services needs all of GRPC_TLS_CERT_FILE, GRPC_TLS_KEY_FILE and GRPC_TLS_CA_FILE.');
  return undefined;
}
