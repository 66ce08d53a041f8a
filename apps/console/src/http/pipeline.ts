import type { Request, RequestHandler } from 'express';
import {
  recordSecurityEvent,
  requestRecentSignIn,
  getRequestId,
  requireSession,
  toSecurityActor,
  sendError,
  type Session,
  type Site,
} from '@saleschannel/edge/pages';
import {
  defaultJsonLimits,
  hasBody,
  logFailure,
  matchMediaType,
  readJson,
  withOwnCredentials,
  type BodyLimits,
  type RequiredSignIn,
} from '@saleschannel/edge';
import { asDomainError, invalidRequest, DomainError } from '@saleschannel/errors';
import { idempotencyKey as key, parse, type LocateFault as FaultPlace } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import type { OperationRoute } from '../contract/operations.ts';
import { createContext, type Operation } from './operation.ts';

export interface Operator {
  /** Claim `sub` of their identity provider: their name in the audit trail. */
  readonly name: string;
}

export class Operators {
  readonly #issuer: string;
  readonly #subjects: ReadonlySet<string>;

  constructor(issuer: string, subjects: readonly string[]) {
    this.#issuer = new URL(issuer).href;
    this.#subjects = new Set(subjects);
  }

  /**
   * Compares the issuer too: sessions survive a change of the provider, where the subject may be another person.
   * @throws DomainError 'forbidden' for all other users
   */
  require({ issuer, subject }: { readonly issuer: string; readonly subject: string }): Operator {
    if (URL.parse(issuer)?.href === this.#issuer && this.#subjects.has(subject)) return { name: subject };
    throw new DomainError('forbidden', 'You are not an operator: CONSOLE_OPERATORS does not list you.');
  }
}

const MAX_QUERY_CHARACTERS = 8_192;
/** Above, their cost would grow faster than their number. */
const MAX_QUERY_PARAMETERS = 100;
const bodyLimits: BodyLimits = { maxBytes: 65_536, timeoutMs: 20_000, json: defaultJsonLimits };
const mediaTypes = new Map([['application/json', true]]);

export interface PipelineOptions extends Pick<Site, 'sessions' | 'securityLog' | 'now' | 'logger'> {
  readonly operators: Operators;
  readonly requiredSignIn: RequiredSignIn;
}

/**
 * Creates the request handler of an operation. Checks, in this order: session (401), operator (403), for changes the
 * age of the sign-in (401), form (400, 413, 415). The service then checks records in the path (404) and the meaning
 * (400). Changes are logged under the operator's name, as in the audit trail of the service.
 */
export const createPipeline =
  ({ sessions, operators, requiredSignIn, securityLog, now, logger }: PipelineOptions) =>
  ({ id, method, status }: OperationRoute, operation: Operation): RequestHandler =>
  async (request, response) => {
    const requestId = getRequestId(response);
    response.set({ 'X-Request-Id': requestId, 'Cache-Control': 'no-store' });
    const session = await requireSession(response, { sessions, logger });
    if (!session) return;
    const about = { operation: id, operator: session.subject, requestId, path: request.params };
    try {
      const operator = operators.require(session);
      if (method !== 'get' && !isSufficient(session, requiredSignIn, now()))
        return requestRecentSignIn(response, requiredSignIn);
      const idempotencyKey = method === 'post' ? readKey(request) : undefined;
      const input = await read(request, operation);
      const isSessionValid = () => sessions.isStillValid(session);
      const context = createContext(request, response, { operator, requestId, idempotencyKey, isSessionValid });
      // Services authenticate the console itself, never the operator.
      const answer = await withOwnCredentials(['unauthenticated', 'forbidden'], () => operation.handle(input, context));
      if (method !== 'get') logger.info(about, `an operator performed ${id}`);
      if (answer !== undefined) response.status(status).type('application/json').send(JSON.stringify(answer));
    } catch (thrown) {
      const error = asDomainError(thrown);
      logFailure(logger, error, about);
      if (error.code === 'forbidden') {
        const who = { actor: toSecurityActor(session), sessionId: session.id };
        recordSecurityEvent(securityLog, response, {
          event: 'authz_fail',
          reason: 'no-operator',
          operation: id,
          ...who,
        });
      }
      sendError(response, error);
    }
  };

/** Whether a sign-in is recent enough and has an accepted authentication context. */
const isSufficient = (
  { signedInAtMs, acr }: Session,
  { maxAgeSeconds, acrs }: RequiredSignIn,
  nowMs: number,
): boolean =>
  nowMs - signedInAtMs <= maxAgeSeconds * 1_000 && (acrs.length === 0 || (acr !== undefined && acrs.includes(acr)));

interface Parsed {
  readonly path: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

const keyForm = z.object({ 'Idempotency-Key': key.optional() });

const readKey = ({ headers }: Request): string | undefined =>
  parse(keyForm, { 'Idempotency-Key': headers['idempotency-key'] }, NOT_VALID, byName)['Idempotency-Key'];

const byName: FaultPlace = ([name]) => ({ parameter: String(name) });
const noParameters = z.strictObject({});
const NOT_VALID = 'The request is not valid.';

async function read(request: Request, { query, body }: Operation): Promise<Parsed> {
  const parameters = readParameters(request);
  return {
    path: request.params,
    query: parse(query ?? noParameters, parameters, NOT_VALID, byName),
    body: body && parse(body, await readJsonBody(request), NOT_VALID),
  };
}

/** Reads a JSON body. Undefined without a body: then the operation's schema reports it. */
async function readJsonBody(request: Request): Promise<unknown> {
  if (!hasBody(request)) return undefined;
  matchMediaType(request, mediaTypes);
  return readJson(request, bodyLimits);
}

/** Reads the query. Unlike Express, rejects repeated parameters, which are typing errors. */
function readParameters({ originalUrl }: Request): Record<string, string> {
  const start = originalUrl.indexOf('?') + 1;
  const text = start === 0 ? undefined : originalUrl.slice(start);
  if (text === undefined) return {};
  if (text.length > MAX_QUERY_CHARACTERS)
    throw invalidRequest('The query string is too long. Send fewer or shorter parameters.');
  const all = new URLSearchParams(text);
  if (all.size > MAX_QUERY_PARAMETERS)
    throw invalidRequest(`The query has too many parameters. Send at most ${MAX_QUERY_PARAMETERS}.`);
  const seen = new Set<string>();
  const repeated = [...all.keys()].find((name) => seen.size === seen.add(name).size);
  if (repeated !== undefined)
    throw invalidRequest(NOT_VALID, [
      { parameter: repeated.slice(0, 100), code: 'repeated-parameter', detail: 'is given more than once' },
    ]);
  return Object.fromEntries(all);
}
