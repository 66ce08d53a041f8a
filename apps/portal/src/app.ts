import { createSite, parsePublicUrl, type SiteParts, Upstream, WebFiles } from '@saleschannel/edge/pages';
import { createClient, createCredentials } from '@saleschannel/grpc';
import { composeApp, type ServiceDefinition } from '@saleschannel/runtime';
import { environment } from './environment.ts';
import { PdfPrinter } from './public/pdf/printer.ts';
import { Verifier } from './public/verify/verifier.ts';
import { createRoutes } from './routes.ts';

const NAME = 'portal';

/** Parts of the API that pages use. The registry's part is for programs with a key. */
const API_PATHS = ['/authentication/', '/account-portal/', '/user-services/', '/saleschannel-services/v1/'];

export const createService = ({ now = Date.now, securityLogger }: SiteParts = {}): ServiceDefinition<
  typeof environment
> => ({
  name: NAME,
  environment,
  async createApp(values, logger) {
    const tokens = await createCredentials(NAME, values, logger);
    const directory = createClient('sessions', { address: values.IDENTITY_ADDRESS, tokens });
    const { site, serve } = createSite({
      application: NAME,
      publicUrl: parsePublicUrl('PORTAL_URL', values.PORTAL_URL),
      trustedProxies: values.PORTAL_TRUSTED_PROXIES,
      isSandbox: values.SANDBOX,
      hstsMaxAgeSeconds: values.HSTS_MAX_AGE_SECONDS,
      cookieKeys: values.PORTAL_COOKIE_KEYS,
      oidc: {
        issuer: values.OIDC_ISSUER,
        internalUrl: values.PORTAL_OIDC_INTERNAL_URL,
        clientId: values.PORTAL_OIDC_CLIENT_ID,
        clientSecret: values.PORTAL_OIDC_CLIENT_SECRET,
        scope: values.PORTAL_OIDC_SCOPE,
        resource: values.PORTAL_OIDC_RESOURCE,
      },
      directory,
      server: {
        host: values.PORTAL_HOST,
        port: values.PORTAL_PORT,
        portVariable: 'PORTAL_PORT',
        drainSeconds: values.DRAIN_SECONDS,
      },
      now,
      securityLogger: securityLogger ?? logger,
      logger,
    });
    const upstream = new Upstream({ ...site, url: new URL(values.PORTAL_API_URL), paths: API_PATHS });
    const printer = new PdfPrinter({
      onPlainDrawing: (error) => logger.warn({ err: error }, 'a statement was drawn with plain names'),
    });
    const verifier = new Verifier();
    const app = createRoutes({
      site,
      securityContact: values.SECURITY_CONTACT,
      files: new WebFiles(values.PORTAL_WEB_FOLDER, 'index.html', values.SANDBOX),
      upstream,
      printer,
      verifier,
    });
    return composeApp([site.securityLog], serve(app), [upstream, printer, verifier, directory]);
  },
});

export const service = createService();
