import type { LookupFunction } from 'node:net';
import { LRUCache } from 'lru-cache';
import { Agent } from 'undici';
import { addressIn, checkTarget, mayConnect, type TargetRules } from '../domain/target.ts';
import { PostRequest, type Response, type Target } from './request.ts';
import type { Resolve } from './resolver.ts';

/** Time for DNS, connection, TLS and response together. */
const ATTEMPT_MS = 15_000;
const KEPT_BYTES = 1_024;
/** Idle connections are closed after this time. */
const IDLE_MS = 10_000;
const MAX_HEADER_BYTES = 16_384;
const MAX_ERROR_CHARACTERS = 200;
/** Parsed URLs kept in memory. */
const MAX_TARGETS = 10_000;

/** Result of one attempt. */
export interface AttemptResult {
  /** Undefined without a response. */
  readonly statusCode: number | undefined;
  /** Reason of the failure, as text for people. Undefined for a success. */
  readonly error: string | undefined;
  readonly text: string | undefined;
  readonly retryAfter: string | undefined;
}

type Headers = Readonly<Record<string, string>>;

export interface Sender {
  /** @throws the signal's reason if it aborts the attempt */
  send(url: string, headers: Headers, body: string, signal: AbortSignal): Promise<AttemptResult>;
  close(): Promise<void>;
}

/** The target is not allowed. */
class RefusedTarget extends Error {
  override name = 'RefusedTarget';
}

/** Resolves names to allowed addresses only. The connection uses the result, so that no second look-up can differ. */
export function createPublicLookup(resolve: Resolve, rules: TargetRules): LookupFunction {
  return (hostname, { all, family }, done) => {
    void resolve(hostname).then(
      (found) => {
        const matching = found.filter((each) => !family || family === each.family);
        const allowed = matching.filter(({ address }) => mayConnect(address, rules));
        const [first] = allowed;
        if (!first) done(new RefusedTarget('the name has no public address'), '', 0);
        else if (all) done(null, [...allowed]);
        else done(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => done(error, '', 0),
    );
  };
}

class AttemptTimeout extends Error {
  override name = 'AttemptTimeout';
}

export interface SenderOptions {
  readonly rules: TargetRules;
  readonly resolve: Resolve;
  readonly attemptMs?: number;
}

export function createSender(options: SenderOptions): Sender {
  const { rules, resolve, attemptMs = ATTEMPT_MS } = options;
  const agent = new Agent({
    connect: { lookup: createPublicLookup(resolve, rules), timeout: attemptMs },
    headersTimeout: attemptMs,
    bodyTimeout: attemptMs,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: IDLE_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    pipelining: 1,
  });
  const targets = new LRUCache<string, AllowedTarget>({ max: MAX_TARGETS });
  const findTarget = (url: string): Target | Refusal => {
    const known = targets.get(url);
    // The installation's own addresses may have changed.
    if (known && (known.address === undefined || mayConnect(known.address, rules))) return known;
    const found = parseTarget(url, rules);
    if (!('refusal' in found)) targets.set(url, found);
    return found;
  };
  return {
    async send(url, headers, body, signal) {
      signal.throwIfAborted();
      const target = findTarget(url);
      if ('refusal' in target) return failed(target.refusal);
      const request = new PostRequest(agent, target, headers, body);
      const timeout = setTimeout(() => request.end(new AttemptTimeout()), attemptMs);
      const abort = (): void => request.end(signal.reason as Error);
      signal.addEventListener('abort', abort);
      try {
        return toResult(await sendAgainIfClosed(request));
      } catch (error) {
        if (signal.aborted) throw error;
        const isTimeout = request.reason instanceof AttemptTimeout;
        return failed(isTimeout ? `no complete response within ${attemptMs / 1_000} seconds` : describe(error));
      } finally {
        clearTimeout(timeout);
        signal.removeEventListener('abort', abort);
      }
    },
    close: () => agent.destroy(),
  };
}

/** Sends again if a keep-alive connection was closed on reuse, which is no fault of the receiver. */
async function sendAgainIfClosed(request: PostRequest): Promise<Response> {
  try {
    return await request.send(KEPT_BYTES);
  } catch (error) {
    if (request.reason || !closedConnectionCodes.has(String(causeOf(error).code))) throw error;
    return request.send(KEPT_BYTES);
  }
}

const closedConnectionCodes = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

const failed = (error: string): AttemptResult => ({
  statusCode: undefined,
  error,
  text: undefined,
  retryAfter: undefined,
});

interface Refusal {
  readonly refusal: string;
}

interface AllowedTarget extends Target {
  /** Undefined for a name. Addresses bypass the resolver. */
  readonly address: string | undefined;
}

/** Checks the URL again: rules may have become stricter since the endpoint was created. */
function parseTarget(text: string, rules: TargetRules): AllowedTarget | Refusal {
  const fault = checkTarget(text, rules);
  if (fault !== undefined) return { refusal: `the URL ${fault}` };
  const url = new URL(text);
  return { origin: url.origin, path: `${url.pathname}${url.search}`, address: addressIn(url) };
}

function toResult({ statusCode, headers, beginning }: Response): AttemptResult {
  const { 'retry-after': retryAfter }: Readonly<Record<string, unknown>> = headers;
  return {
    statusCode,
    error: describeStatus(statusCode),
    text: toStorableText(beginning),
    // A repeated header is a list, although its type says otherwise.
    retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined,
  };
}

/** Replaces characters that PostgreSQL cannot store. */
const toStorableText = (beginning: Buffer): string | undefined =>
  beginning.length === 0 ? undefined : beginning.toString('utf8').replaceAll('\0', '\ufffd').toWellFormed();

function describeStatus(status: number): string | undefined {
  if (status >= 200 && status < 300) return undefined;
  if (status >= 300 && status < 400) return `answered ${status}: redirects are not followed`;
  return `answered ${status}`;
}

/** Describes an error for the endpoint's owner, without details of this network. */
function describe(error: unknown): string {
  if (error instanceof RefusedTarget) return error.message;
  const { code, message } = causeOf(error);
  const known = code === undefined ? undefined : errorTexts[code];
  if (known !== undefined) return known;
  const detail = code === undefined ? message : `${code}: ${message}`;
  return `the request failed (${detail.replaceAll('\0', '').toWellFormed().slice(0, MAX_ERROR_CHARACTERS)})`;
}

const errorTexts: Readonly<Record<string, string>> = {
  ENOTFOUND: 'the name does not exist',
  EAI_AGAIN: 'the name could not be resolved',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was cut',
  ETIMEDOUT: 'the connection timed out',
  EHOSTUNREACH: 'the address cannot be reached',
  ENETUNREACH: 'the address cannot be reached',
  UND_ERR_SOCKET: 'the connection was cut',
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out',
  UND_ERR_HEADERS_OVERFLOW: 'the headers of the response are too large',
  // undici fails an assertion on some invalid responses.
  ERR_ASSERTION: 'the response is not valid HTTP',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate was issued by an unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate was issued by an unknown authority',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another name',
};

interface Cause {
  readonly code?: string;
  readonly message: string;
}

/** Picks the first error if several addresses were tried. */
function causeOf(error: unknown): Cause {
  if (error instanceof AggregateError && error.errors.length > 0) return causeOf(error.errors[0]);
  return typeof error === 'object' && error !== null && 'message' in error
    ? (error as Cause)
    : { message: String(error) };
}
