import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext, type PeerCertificate } from 'node:tls';
import { experimental, type ChannelCredentials, type ClientOptions, type ServerCredentials } from '@grpc/grpc-js';
import { env, meter, type Environment, type Logger, type Values } from '@saleschannel/runtime';
import { namesIn } from './tls-names.ts';

/** TLS between services, at both ends: all three files, or none for plaintext. */
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

/** Who a program is on the wire, and whom it believes. The files may change while it runs. */
export interface Tls {
  /** Of a server: it takes nobody without a certificate. */
  readonly server: ServerCredentials;
  /** Of connections to a program: nobody else is talked to, whatever the address leads to. */
  clientOf(receiver: string): ChannelCredentials;
  /** Reads the files again. What cannot be used is reported, and what was read last goes on. */
  reload(): void;
}

/** Files are looked at this often, while somebody listens or is connected. */
const RELOAD_MS = 10_000;

interface Material {
  readonly certificate: Buffer;
  readonly privateKey: Buffer;
  readonly authorities: Buffer;
}

/** @throws Error for files that cannot be read, or do not belong together */
function readMaterial(files: TlsFiles): Material {
  const material = {
    certificate: readFileSync(files.certificate),
    privateKey: readFileSync(files.privateKey),
    authorities: readFileSync(files.authorities),
  };
  if (!new X509Certificate(material.certificate).checkPrivateKey(createPrivateKey(material.privateKey)))
    throw new Error(`${files.privateKey} is not the key of ${files.certificate}`);
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
 * grpc-js has a provider that watches files. It hands on whatever it finds: a certificate whose key is not written yet
 * would stop all new connections. This one keeps what was good until all three files are good together.
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

  const tell = {
    authorities: (listener: AuthorityListener) => listener({ caCertificate: current.authorities }),
    identity: (listener: IdentityListener) =>
      listener({ certificate: current.certificate, privateKey: current.privateKey }),
  };
  const reload = (): void => {
    try {
      const found = readMaterial(files);
      if (isSame(found, current)) return;
      current = found;
      authorityListeners.forEach(tell.authorities);
      identityListeners.forEach(tell.identity);
      logger.info('TLS goes on with changed files');
    } catch (error) {
      logger.error({ err: error }, 'the TLS files cannot be used: what was read before goes on');
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
      // Later, as the library expects it: it takes no notice of what it hears before it is ready to listen.
      process.nextTick(tell.authorities, listener);
    },
    removeCaCertificateListener(listener) {
      authorityListeners.delete(listener);
      watch();
    },
    addIdentityCertificateListener(listener) {
      identityListeners.add(listener);
      watch();
      process.nextTick(tell.identity, listener);
    },
    removeIdentityCertificateListener(listener) {
      identityListeners.delete(listener);
      watch();
    },
  };
}

/**
 * Of a client: the program's name is asked for, not the host's. Whoever is at an address is checked by name, and the
 * address may be an IP.
 */
export const tlsOptions = (receiver: string): ClientOptions => ({ 'grpc.ssl_target_name_override': receiver });

/** @throws Error for files that cannot be read, or do not belong together */
export function createTls(files: TlsFiles, logger: Logger, reloadMs = RELOAD_MS): Tls {
  const provider = createProvider(files, logger, reloadMs);
  const clients = new Map<string, ChannelCredentials>();
  const createClientCredentials = (receiver: string): ChannelCredentials =>
    experimental.createCertificateProviderChannelCredentials(provider, provider, {
      checkServerIdentity: (_host: string, certificate: PeerCertificate) =>
        namesIn(certificate).has(receiver)
          ? undefined
          : new Error(
              `the server's certificate is not that of ${receiver}, but of ${[...namesIn(certificate)].join()}`,
            ),
    });
  return {
    server: experimental.createCertificateProviderServerCredentials(provider, provider, true),
    clientOf(receiver) {
      // One for each receiver: clients with the same credentials share their connections.
      const known = clients.get(receiver) ?? createClientCredentials(receiver);
      clients.set(receiver, known);
      return known;
    },
    reload: () => provider.reload(),
  };
}

/**
 * TLS as the environment says. Undefined where it names no file.
 * @throws Error where it names some of the files only, or files that cannot be used
 */
export function readTls(values: Values<typeof tlsEnvironment>, logger: Logger): Tls | undefined {
  const { GRPC_TLS_CERT_FILE: certificate, GRPC_TLS_KEY_FILE: privateKey, GRPC_TLS_CA_FILE: authorities } = values;
  if (certificate && privateKey && authorities) return createTls({ certificate, privateKey, authorities }, logger);
  if (certificate || privateKey || authorities)
    throw new Error('TLS between services needs all of GRPC_TLS_CERT_FILE, GRPC_TLS_KEY_FILE and GRPC_TLS_CA_FILE');
  return undefined;
}
