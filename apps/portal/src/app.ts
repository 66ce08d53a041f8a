import { Sealer } from '@saleschannel/auth';
import {
  CookieJar,
  createWebServer,
  OidcClient,
  publicUrlOf,
  SessionRecords,
  Sessions,
  Upstream,
  WebFiles,
} from '@saleschannel/edge/pages';
import { SecurityLog } from '@saleschannel/edge';
import { createClient, createCredentials } from '@saleschannel/grpc';
import { composeApp, type Logger, type ServiceDefinition } from '@saleschannel/runtime';
import { environment } from './environment.ts';
import { PdfPrinter } from './public/pdf/printer.ts';
import { Verifier } from './public/verify/verifier.ts';
import { createRoutes } from './routes.ts';

const NAME = 'portal';

/** What pages use of the API. The registry's part is for programs with a key. */
const API_PATHS = ['/authentication/', '/account-portal/', '/user-services/', '/saleschannel-services/v1/'];

/** What tests set. */
export interface ServiceParts {
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** Where the security log goes, if not to the logger of the service. */
  readonly securityLogger?: Logger;
}

const monotonicMs = (): number => performance.now();

export const createService = ({ now = Date.now, securityLogger }: ServiceParts = {}): ServiceDefinition<
  typeof environment
> => ({
  name: NAME,
  environment,
  async createApp(values, logger) {
    const publicUrl = publicUrlOf('PORTAL_URL', values.PORTAL_URL);
    let isDraining = false;
    const closing = new AbortController();
    const cookies = new CookieJar({ application: NAME, isSecure: publicUrl.protocol === 'https:' });
    const sealer = new Sealer(values.PORTAL_COOKIE_KEYS);
    const oidc = new OidcClient({
      issuer: values.OIDC_ISSUER,
      internalUrl: values.PORTAL_OIDC_INTERNAL_URL,
      clientId: values.PORTAL_OIDC_CLIENT_ID,
      clientSecret: values.PORTAL_OIDC_CLIENT_SECRET,
      scope: values.PORTAL_OIDC_SCOPE,
      resource: values.PORTAL_OIDC_RESOURCE,
      callbackUrl: new URL('/callback', publicUrl).href,
      signedOutUrl: publicUrl.href,
      now,
    });
    const tokens = await createCredentials(NAME, values, logger);
    const directory = createClient('sessions', { address: values.IDENTITY_ADDRESS, tokens });
    const records = new SessionRecords(directory);
    const securityLog = new SecurityLog({ logger: securityLogger ?? logger, now: monotonicMs });
    const sessions = new Sessions({ application: NAME, cookies, sealer, oidc, records, securityLog, now });
    const upstream = new Upstream({
      url: new URL(values.PORTAL_API_URL),
      paths: API_PATHS,
      sessions,
      closing: closing.signal,
      logger,
    });
    const printer = new PdfPrinter({
      drawnPlain: (error) => logger.warn({ err: error }, 'a statement was drawn with plain names'),
    });
    const verifier = new Verifier();
    const app = createRoutes({
      application: NAME,
      publicUrl,
      trustedProxies: values.PORTAL_TRUSTED_PROXIES,
      isSandbox: values.SANDBOX,
      securityContact: values.SECURITY_CONTACT,
      hstsMaxAgeSeconds: values.HSTS_MAX_AGE_SECONDS,
      files: new WebFiles(values.PORTAL_WEB_FOLDER, 'index.html', values.SANDBOX),
      cookies,
      sealer,
      oidc,
      sessions,
      upstream,
      printer,
      verifier,
      securityLog,
      isDraining: () => isDraining,
      now,
      logger,
    });
    const server = createWebServer({
      host: values.PORTAL_HOST,
      port: values.PORTAL_PORT,
      portVariable: 'PORTAL_PORT',
      app,
      securityLog,
      drainSeconds: values.DRAIN_SECONDS,
      onDraining: () => (isDraining = true),
      onClosing: () => closing.abort(),
    });
    return composeApp([securityLog], server, [upstream, printer, verifier, directory]);
  },
});

export const service = createService();
