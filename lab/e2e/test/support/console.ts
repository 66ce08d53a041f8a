import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { createService } from '@saleschannel/console/app';
import { createDevIdp } from '@saleschannel/dev-idp/app';
import { variablesOf, type LocalInstallation } from '@saleschannel/installation';
import { findFreePort } from '@saleschannel/local-backends';
import { createLogger, silentLogger, type App } from '@saleschannel/runtime';
import { execute, startService } from '@saleschannel/testing';
import { request } from 'undici';
import type { Problem } from '../../src/client.ts';
import type { System } from '../../src/system.ts';

/** The operator console of a running system, and browsers for it. */

const HOST = '127.0.0.1';
const STEPS_AT_MOST = 12;
const TIMEOUT_MS = 30_000;
/** Headers that the console's pages send. */
export const pageHeaders = { 'Sec-Fetch-Site': 'same-origin', 'X-Portal': '1' };

interface ConsoleAnswer<T> {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: T;
}

/** One page of a list. */
export interface Items<T> {
  readonly items: readonly T[];
  readonly next: string | null;
}

export const address = { postalCode: '00100', city: 'Helsinki', country: 'FI', street1: 'Katu 1' };

interface ConsoleRequest {
  readonly body?: unknown;
  /** Raw content with its media type. */
  readonly file?: readonly [type: string, content: string];
  readonly headers?: Record<string, string | undefined>;
}

interface Document {
  paths: Record<string, Record<string, { responses: Record<string, object> }>>;
}

const jsonFile = new URL('../../../../apps/console/src/contract/gen/openapi.json', import.meta.url);
const document = JSON.parse(readFileSync(jsonFile, 'utf8')) as Document;
const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
ajv.addSchema(document, 'console');

/** Operations of the contract, such as `GET /users`. */
export const consoleOperations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
);

const findOperation = (method: string, path: string): [path: string, method: string] | undefined => {
  const pathname = path.split('?', 1)[0] ?? path;
  const found = Object.keys(document.paths).find((each) =>
    new RegExp(`^${each.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(pathname),
  );
  return found !== undefined && document.paths[found]?.[method.toLowerCase()]
    ? [found, method.toLowerCase()]
    : undefined;
};

const escaped = (segment: string): string => segment.replaceAll('~', '~0').replaceAll('/', '~1');

/** @throws Error if the contract does not allow the answer */
function checkAnswer(
  method: string,
  path: string,
  { status, headers, body }: ConsoleAnswer<unknown>,
): string | undefined {
  const place = findOperation(method, path);
  if (!place) return undefined;
  const [pattern, name] = place;
  const given = document.paths[pattern]?.[name]?.responses[String(status)] as { $ref?: string } | undefined;
  if (!given) throw new Error(`${method} ${pattern} promises no ${status}: ${JSON.stringify(body)}`);
  const pointer = given.$ref?.slice(1) ?? `/paths/${escaped(pattern)}/${name}/responses/${status}`;
  const type = String(String(headers['content-type']).split(';', 1)[0]);
  if (type === 'text/event-stream') return `${method} ${pattern}`;
  const validate = ajv.compile({ $ref: `console#${encodeURI(pointer)}/content/${escaped(type)}/schema` });
  if (!validate(body)) throw new Error(`${method} ${path}: ${JSON.stringify(validate.errors)} ${JSON.stringify(body)}`);
  return `${method} ${pattern}`;
}

/** A person's browser, mainly for the console. It checks every answer of the console against the contract. */
export class ConsoleBrowser {
  readonly #origin: string;
  readonly #cookies = new Map<string, string>();
  /** Operations that succeeded. */
  readonly succeeded: Set<string>;

  constructor(origin: string, succeeded: Set<string>) {
    this.#origin = origin;
    this.succeeded = succeeded;
  }

  /** Header with all cookies. */
  get cookie(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  /** Sends one request without following redirects. */
  async open(url: string, method = 'GET', { body, file, headers = {} }: ConsoleRequest = {}) {
    const type = file?.[0] ?? (body === undefined ? undefined : 'application/json');
    const all = {
      cookie: this.cookie,
      ...(type !== undefined && { 'content-type': type }),
      ...headers,
    };
    const sent = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined && value !== ''));
    const answer = await request(url, {
      method: method as 'GET',
      headers: sent as Record<string, string>,
      body: file?.[1] ?? (body === undefined ? null : JSON.stringify(body)),
      headersTimeout: TIMEOUT_MS,
    });
    for (const line of [answer.headers['set-cookie'] ?? []].flat()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (name === undefined || value === undefined) continue;
      if (/max-age=0\b/i.test(line)) this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    return answer;
  }

  /** Calls an operation as the console's pages do. */
  async send<T = Problem>(method: string, path: string, sent: ConsoleRequest = {}): Promise<ConsoleAnswer<T>> {
    const given = { ...sent, headers: { ...pageHeaders, ...sent.headers } };
    const { statusCode: status, headers, body } = await this.open(`${this.#origin}/operator/v1${path}`, method, given);
    const text = await body.text();
    const answer = { status, headers, body: JSON.parse(text) as T };
    const operation = checkAnswer(method, path, answer);
    if (operation !== undefined && status < 300) this.succeeded.add(operation);
    return answer;
  }

  /** @throws Error if the answer is not a success */
  async ok<T>(method: string, path: string, sent: ConsoleRequest = {}): Promise<T> {
    const { status, body } = await this.send<T>(method, path, sent);
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(body)}`);
    return body;
  }

  /** Signs in through the provider's pages. */
  async signIn(name: string): Promise<void> {
    let url = `${this.#origin}/sign-in`;
    let answer = await this.open(url);
    for (let step = 0; step < STEPS_AT_MOST; step++) {
      const { location } = answer.headers;
      if (typeof location === 'string') {
        await answer.body.dump();
        url = new URL(location, url).href;
        answer = await this.open(url);
        continue;
      }
      const page = await answer.body.text();
      if (new URL(url).origin === this.#origin) return;
      const action = /<form[^>]* action="([^"]+)"/.exec(page)?.[1];
      const prompt = /name="prompt" value="([^"]+)"/.exec(page)?.[1];
      if (action === undefined || prompt === undefined)
        throw new Error(`There is no form to continue with at ${url}: ${page}`);
      const form = new URLSearchParams({ prompt, login: name, password: 'any' });
      url = new URL(action, url).href;
      answer = await this.open(url, 'POST', { file: ['application/x-www-form-urlencoded', form.toString()] });
    }
    throw new Error('The sign-in does not end.');
  }
}

export interface Console {
  readonly url: string;
  /** URLs of all replicas. */
  readonly urls: readonly string[];
  /** Operations that have succeeded so far. */
  readonly succeeded: ReadonlySet<string>;
  /** Lines of the security log so far. */
  readonly securityLines: readonly Record<string, unknown>[];
  browser(): ConsoleBrowser;
  /** Sets the console's clock ahead of this machine's, in milliseconds. */
  setClockAhead(ms: number): void;
  /** Browser of a signed-in person. */
  signIn(name: string): Promise<ConsoleBrowser>;
  stop(): Promise<void>;
}

const OPERATORS = ['olga', 'otto'];

/** Starts the console with its own identity provider. Browsers use its first replica. */
export async function startConsole(system: System, { replicas = 1 } = {}): Promise<Console> {
  const ports: number[] = [];
  while (ports.length < replicas) ports.push(await findFreePort());
  const [port = 0] = ports;
  const url = `http://${HOST}:${port}`;
  const idp = createDevIdp({ port: 0 });
  await idp.start();
  idp.addClient({
    clientId: 'console',
    clientSecret: system.place.secrets.consoleClientSecret,
    kind: 'web',
    redirectUris: [`${url}/callback`],
    signedOutUris: [`${url}/`],
    backChannelLogoutUri: `${url}/backchannel-logout`,
  });
  const placeAt = (own: number): LocalInstallation => ({
    ...system.place,
    ports: { ...system.place.ports, console: own },
    settings: { OIDC_ISSUER: idp.issuer, CONSOLE_URL: url, CONSOLE_OPERATORS: OPERATORS.join(','), DRAIN_SECONDS: '0' },
  });
  let aheadMs = 0;
  const securityLines: Record<string, unknown>[] = [];
  const write = (text: string): void => void securityLines.push(JSON.parse(text) as Record<string, unknown>);
  const apps: App[] = [];
  for (const own of ports)
    apps.push(
      await startService(
        createService({ now: () => Date.now() + aheadMs, securityLogger: createLogger('console', 'fatal', { write }) }),
        variablesOf('console', placeAt(own)),
        silentLogger,
      ),
    );
  const succeeded = new Set<string>();
  const browser = (): ConsoleBrowser => new ConsoleBrowser(url, succeeded);
  return {
    url,
    urls: ports.map((own) => `http://${HOST}:${own}`),
    succeeded,
    securityLines,
    browser,
    setClockAhead: (ms) => void (aheadMs = ms),
    async signIn(name) {
      const signedIn = browser();
      await signedIn.signIn(name);
      return signedIn;
    },
    async stop() {
      for (const app of apps) await app.stop();
      await idp.stop();
    },
  };
}

/** Suspends a sales channel and backdates it by the time after which it can be closed. */
export async function suspendInPast(system: System, operator: ConsoleBrowser, salesChannelId: string): Promise<void> {
  await operator.ok('POST', `/sales-channels/${salesChannelId}/suspend`, { body: { reason: 'contract ended' } });
  await execute(
    system.findDatabaseUrl('rbac'),
    `update sales_channel set suspended_at = suspended_at - interval '31 seconds' where id = '${salesChannelId}'`,
  );
}
