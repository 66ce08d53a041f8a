import type { LookupFunction } from 'node:net';
import { LRUCache } from 'lru-cache';
import { Agent } from 'undici';
import { addressIn, faultOfTarget, mayConnect, type TargetRules } from '../domain/target.ts';
import { PostRequest, type Response, type Target } from './request.ts';
import type { Resolve } from './resolver.ts';

/** For all of an attempt: name, connection, TLS, answer. */
const ATTEMPT_MS = 15_000;
const KEPT_CHARACTERS = 1_024;
/** A connection that nothing was sent on is given up. */
const IDLE_MS = 10_000;
const HEADER_BYTES_AT_MOST = 16_384;
const ERROR_CHARACTERS_AT_MOST = 200;
/** URLs that are known, taken apart. */
const TARGETS_AT_MOST = 10_000;

/** What came of one attempt. */
export interface Answer {
  /** Undefined without an answer. */
  readonly statusCode: number | undefined;
  /** Why it failed, for people. Undefined for success. */
  readonly error: string | undefined;
  readonly text: string | undefined;
  readonly retryAfter: string | undefined;
}

type Headers = Readonly<Record<string, string>>;

/** Sends messages to wherever channels want them. */
export interface Sender {
  /** @throws the signal's reason when it ends the attempt */
  send(url: string, headers: Headers, body: string, signal: AbortSignal): Promise<Answer>;
  close(): Promise<void>;
}

/** Nothing is sent there, whatever the endpoint says. */
class RefusedTarget extends Error {
  override name = 'RefusedTarget';
}

/** The connection is made to what this finds: nobody resolves the name a second time. */
export function publicLookup(resolve: Resolve, rules: TargetRules): LookupFunction {
  return (hostname, { all, family }, done) => {
    void resolve(hostname).then(
      (found) => {
        const wanted = found.filter((one) => !family || family === one.family);
        const good = wanted.filter(({ address }) => mayConnect(address, rules));
        const [first] = good;
        if (!first) done(new RefusedTarget('the name has no address of the public internet'), '', 0);
        else if (all) done(null, [...good]);
        else done(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => done(error, '', 0),
    );
  };
}

class TooLate extends Error {
  override name = 'TooLate';
}

export interface SenderOptions {
  readonly rules: TargetRules;
  readonly resolve: Resolve;
  readonly attemptMs?: number;
}

export function createSender(options: SenderOptions): Sender {
  const { rules, resolve, attemptMs = ATTEMPT_MS } = options;
  const agent = new Agent({
    connect: { lookup: publicLookup(resolve, rules), timeout: attemptMs },
    headersTimeout: attemptMs,
    bodyTimeout: attemptMs,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: IDLE_MS,
    maxHeaderSize: HEADER_BYTES_AT_MOST,
    pipelining: 1,
  });
  const targets = new LRUCache<string, JudgedTarget>({ max: TARGETS_AT_MOST });
  const targetOf = (url: string): Target | Refusal => {
    const known = targets.get(url);
    // Which addresses are the installation's own changes.
    if (known && (known.address === undefined || mayConnect(known.address, rules))) return known;
    const found = judge(url, rules);
    if (!('refusal' in found)) targets.set(url, found);
    return found;
  };
  return {
    async send(url, headers, body, signal) {
      signal.throwIfAborted();
      const target = targetOf(url);
      if ('refusal' in target) return failed(target.refusal);
      const request = new PostRequest(agent, target, headers, body);
      const late = setTimeout(() => request.end(new TooLate()), attemptMs);
      const end = (): void => request.end(signal.reason as Error);
      signal.addEventListener('abort', end);
      try {
        return answerOf(await sendOnceMore(request));
      } catch (error) {
        if (signal.aborted) throw error;
        const isLate = request.reason instanceof TooLate;
        return failed(isLate ? `no whole answer within ${attemptMs / 1_000} seconds` : wordingOf(error));
      } finally {
        clearTimeout(late);
        signal.removeEventListener('abort', end);
      }
    },
    close: () => agent.destroy(),
  };
}

/** A connection that was kept may end just when it is used again. That is no fault of the receiver. */
async function sendOnceMore(request: PostRequest): Promise<Response> {
  try {
    return await request.send(KEPT_CHARACTERS);
  } catch (error) {
    if (request.reason || !cuts.has(String(causeOf(error).code))) throw error;
    return request.send(KEPT_CHARACTERS);
  }
}

const cuts = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

const failed = (error: string): Answer => ({ statusCode: undefined, error, text: undefined, retryAfter: undefined });

interface Refusal {
  readonly refusal: string;
}

interface JudgedTarget extends Target {
  /** Undefined for a name. No resolver is asked for an address. */
  readonly address: string | undefined;
}

/** A rule may have become stricter since an endpoint was made. */
function judge(text: string, rules: TargetRules): JudgedTarget | Refusal {
  const fault = faultOfTarget(text, rules);
  if (fault !== undefined) return { refusal: `the URL ${fault}` };
  const url = new URL(text);
  return { origin: url.origin, path: `${url.pathname}${url.search}`, address: addressIn(url) };
}

function answerOf({ statusCode, headers, beginning }: Response): Answer {
  const { 'retry-after': retryAfter }: Readonly<Record<string, unknown>> = headers;
  return {
    statusCode,
    error: faultOfStatus(statusCode),
    text: textOf(beginning),
    // One that came twice is a list, whatever its type says.
    retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined,
  };
}

/** As far as it can be stored. */
const textOf = (beginning: Buffer): string | undefined =>
  beginning.length === 0 ? undefined : beginning.toString('utf8').replaceAll('\0', '\ufffd').toWellFormed();

function faultOfStatus(status: number): string | undefined {
  if (status >= 200 && status < 300) return undefined;
  if (status >= 300 && status < 400) return `answered ${status}: redirects are not followed`;
  return `answered ${status}`;
}

/** What people are told of a fault of the network. Nothing of this side's network is in it. */
function wordingOf(error: unknown): string {
  if (error instanceof RefusedTarget) return error.message;
  const { code, message } = causeOf(error);
  const known = code === undefined ? undefined : faults[code];
  if (known !== undefined) return known;
  const told = code === undefined ? message : `${code}: ${message}`;
  return `the request failed (${told.replaceAll('\0', '').toWellFormed().slice(0, ERROR_CHARACTERS_AT_MOST)})`;
}

const faults: Readonly<Record<string, string>> = {
  ENOTFOUND: 'the name does not exist',
  EAI_AGAIN: 'the name could not be resolved',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was cut',
  ETIMEDOUT: 'the connection could not be made in time',
  EHOSTUNREACH: 'the address cannot be reached',
  ENETUNREACH: 'the address cannot be reached',
  UND_ERR_SOCKET: 'the connection was cut',
  UND_ERR_CONNECT_TIMEOUT: 'the connection could not be made in time',
  UND_ERR_HEADERS_OVERFLOW: 'the headers of the answer are too large',
  // The client takes an answer for a fault of its own (undici: assert).
  ERR_ASSERTION: 'the answer is not HTTP as it should be',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate is of an unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate is of an unknown authority',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is of another name',
};

interface Cause {
  readonly code?: string;
  readonly message: string;
}

/** Several addresses that were tried are one error: the first of them tells most. */
function causeOf(error: unknown): Cause {
  if (error instanceof AggregateError && error.errors.length > 0) return causeOf(error.errors[0]);
  return typeof error === 'object' && error !== null && 'message' in error
    ? (error as Cause)
    : { message: String(error) };
}
