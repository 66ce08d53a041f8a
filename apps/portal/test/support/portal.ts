import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { createDevIdp, type DevIdp } from '@saleschannel/dev-idp/app';
import { identityVariables, neighbour, startNeighbours } from '@saleschannel/testing';
import { readEnvironment, silentLogger, type App, type Logger } from '@saleschannel/runtime';
import { findFreePort } from '@saleschannel/local-backends';
import { DomainError, unavailable } from '@saleschannel/errors';
import type { RequestOf } from '@saleschannel/grpc';
import { createService } from '../../src/app.ts';
import { environment } from '../../src/environment.ts';
import { Browser, fromOwnPage, type SendOptions } from './browser.ts';
import { TestUpstream } from './register.ts';

type Begun = RequestOf<'sessions.BeginSession'>;

/** Fake of identity's sessions, shared by all replicas. */
interface TestSessionDirectory {
  readonly address: string;
  /** Sessions by id. */
  readonly activeSessions: Map<string, Begun>;
  /** SHA-256 of every recorded access token, in hex. */
  readonly tokens: Set<string>;
  /** False: every call fails with 'unavailable'. */
  setReachable(isReachable: boolean): void;
  stop(): Promise<void>;
}

const refused = (): DomainError => new DomainError('unauthenticated', 'The session has ended.');

async function startSessionDirectory(): Promise<TestSessionDirectory> {
  const living = new Map<string, Begun>();
  const tokens = new Set<string>();
  let isReachable = true;
  const reach = (): void => {
    if (!isReachable) throw unavailable(new Error('the session directory is down'));
  };
  const found = (id = '') => {
    reach();
    const begun = living.get(id);
    if (!begun) throw refused();
    return { id, client: 'portal', expiresAt: begun.expiresAt, signedInAt: begun.signedInAt };
  };
  const server = await startNeighbours(
    neighbour('sessions', ['portal'], {
      async BeginSession(begun) {
        reach();
        if (begun.subject === 'disabled') throw refused();
        living.set(begun.id ?? '', begun);
        tokens.add(begun.token?.sha256 ?? '');
        return { ...found(begun.id), userId: `user-of-${begun.subject}` };
      },
      async AddSessionToken({ id, token }) {
        found(id);
        tokens.add(token?.sha256 ?? '');
        return {};
      },
      CheckSession: ({ id }) => Promise.resolve().then(() => found(id)),
      async EndProviderSessions({ issuer, subject, providerSession }) {
        reach();
        const ended = [...living.values()].filter(
          (begun) =>
            begun.issuer === issuer &&
            (subject === undefined || begun.subject === subject) &&
            (providerSession === undefined || begun.providerSession === providerSession),
        );
        for (const { id } of ended) living.delete(id ?? '');
        return { sessions: ended.map(({ id }) => ({ id, client: 'portal' })) };
      },
      async EndSession({ id }) {
        reach();
        living.delete(id ?? '');
        return {};
      },
    }),
  );
  return {
    address: server.address,
    activeSessions: living,
    tokens,
    setReachable: (value) => void (isReachable = value),
    stop: () => server.stop(),
  };
}

/** Creates a key of cookies. */
export const createCookieKey = (letter: string): string => Buffer.alloc(32, letter).toString('base64url');

/** Returns the access token of a request to the API. */
export const bearerToken = ({ headers }: { headers: { authorization?: string | undefined } }): string =>
  String(headers.authorization).replace('Bearer ', '');

/** Counts requests of the portal to the token endpoint. */
export function countTokenRequests(): () => number {
  const spy = jest.spyOn(globalThis, 'fetch');
  return () => spy.mock.calls.filter(([input]) => String(input).endsWith('/token')).length;
}

export interface PortalOptions {
  readonly accessTokenSeconds?: number;
  readonly variables?: Readonly<Record<string, string>>;
  readonly logger?: Logger;
  readonly securityLogger?: Logger;
}

/** Portal with a real identity provider, a fake API and a few pages. */
export interface TestPortal {
  readonly url: string;
  readonly idp: DevIdp;
  readonly upstream: TestUpstream;
  /** Fake of identity. */
  readonly directory: TestSessionDirectory;
  readonly folder: string;
  /** Sets the portal's clock ahead of this machine's, in milliseconds. */
  setClockAhead(ms: number): void;
  /** Returns a browser with a session. */
  signIn(account?: string): Promise<Browser>;
  /** Sends a request of one of the portal's pages. */
  send(browser: Browser, path: string, options?: SendOptions): Promise<Response>;
  /** Starts another replica with other settings and port. Cookies of the browser are valid there too. */
  startReplica(variables: Readonly<Record<string, string>>): Promise<string>;
  stop(): Promise<void>;
}

function writePages(folder: string): void {
  mkdirSync(join(folder, 'assets'), { recursive: true });
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>page</title><body></body>');
  writeFileSync(join(folder, 'paths.json'), JSON.stringify(['/', '/keys', '/channel/transactions/:id']));
  writeFileSync(join(folder, 'assets/app-abc.js'), 'const a = 1;');
  writeFileSync(join(folder, 'assets/app-abc.js.br'), 'compressed');
}

export async function startPortal(options: PortalOptions = {}): Promise<TestPortal> {
  const { accessTokenSeconds = 3_600, variables = {}, logger = silentLogger, securityLogger = silentLogger } = options;
  const folder = mkdtempSync(join(tmpdir(), 'portal-'));
  const pages = join(folder, 'pages');
  writePages(pages);
  writeFileSync(join(folder, 'secret.txt'), 'a secret beside the pages');
  const upstream = new TestUpstream();
  await upstream.start();
  const directory = await startSessionDirectory();
  const idp = createDevIdp({ port: 0, accessTokenSeconds });
  await idp.start();
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  idp.addClient({
    clientId: 'portal',
    clientSecret: 's3cret',
    kind: 'web',
    redirectUris: [`${url}/callback`],
    signedOutUris: [`${url}/`],
    backChannelLogoutUri: `${url}/backchannel-logout`,
  });
  let aheadMs = 0;
  const { createApp } = createService({ now: () => Date.now() + aheadMs, securityLogger });
  const apps: App[] = [];
  const start = async (own: Readonly<Record<string, string>>): Promise<App> => {
    const values = readEnvironment(environment, {
      PORTAL_PORT: String(port),
      PORTAL_URL: url,
      PORTAL_API_URL: upstream.url,
      IDENTITY_ADDRESS: directory.address,
      ...identityVariables('portal'),
      PORTAL_COOKIE_KEYS: createCookieKey('a'),
      PORTAL_OIDC_CLIENT_SECRET: 's3cret',
      PORTAL_WEB_FOLDER: pages,
      OIDC_ISSUER: idp.issuer,
      ...variables,
      ...own,
    });
    const app = await createApp(values, logger);
    apps.push(app);
    await app.start();
    return app;
  };
  await start({});
  return {
    url,
    idp,
    upstream,
    directory,
    folder,
    setClockAhead: (ms) => void (aheadMs = ms),
    async signIn(account = 'anna') {
      const browser = new Browser();
      await browser.visit(`${url}/sign-in`, account);
      return browser;
    },
    send: (browser, path, { headers, ...rest } = {}) =>
      browser.send(`${url}${path}`, { ...rest, headers: { ...fromOwnPage, ...headers } }),
    async startReplica(own) {
      return `http://${(await start({ PORTAL_PORT: '0', ...own })).address}`;
    },
    async stop() {
      for (const app of apps) await app.stop();
      await idp.stop();
      await upstream.stop();
      await directory.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
