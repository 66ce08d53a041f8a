import type { IncomingMessage, RequestListener } from 'node:http';
import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import { DomainError } from '@saleschannel/errors';
import cors from 'cors';
import type { Contract, ContractOperation } from '../contract/document.ts';
import { compileForm, type Form, type FormLimits } from '../contract/form.ts';
import type { OperationId } from '../contract/operations.ts';
import { compileSchemas } from '../contract/schemas.ts';
import { createSiteRoutes, createProblemRoutes, type DocsOptions, type PageOptions } from '../docs/routes.ts';
import { findMessageFault } from './server.ts';
import type { Handlers, Pipeline } from './pipeline.ts';
import { sendSlices } from './answer.ts';

const PREFLIGHT_SECONDS = 600;

/** Caches must not use the answer to one origin for another. */
const varyByOrigin: RequestHandler = (_request, response, next) => {
  response.vary('Origin');
  next();
};

/**
 * Allows pages of these origins to call the API. Pages set credentials in a header themselves: the browser sends none.
 * Requests of other origins get no CORS headers.
 */
function createCors(origins: readonly string[]): RequestHandler[] {
  const allowed = new Set(origins);
  const allow = cors({
    origin: (origin, answer) => answer(null, origin !== undefined && allowed.has(origin) ? origin : false),
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: [
      'Authorization',
      'Content-Type',
      'Idempotency-Key',
      'If-None-Match',
      'Last-Event-ID',
      'Prefer',
      'X-Request-Id',
    ],
    exposedHeaders: [
      'Deprecation',
      'ETag',
      'Idempotency-Replayed',
      'Link',
      'Location',
      'Preference-Applied',
      'RateLimit',
      'RateLimit-Policy',
      'Retry-After',
      'Sunset',
      'WWW-Authenticate',
      'X-Request-Id',
    ],
    maxAge: PREFLIGHT_SECONDS,
  });
  return [varyByOrigin, allow];
}

export interface Generation {
  readonly contract: Contract;
  readonly handlers: Partial<Handlers>;
  /** Runs before the operations of its paths. */
  readonly preHandler?: RequestHandler;
  /** Path of its contract, unless an operation serves it. */
  readonly documentPath?: string;
}

export interface RoutesOptions {
  generations: readonly Generation[];
  pipeline: Pipeline;
  formLimits: FormLimits;
  commonHeaders: Readonly<Record<string, string>>;
  trustedProxies: readonly string[];
  corsOrigins: readonly string[];
  onRequest(request: IncomingMessage): void;
  isServed(operation: ContractOperation): boolean;
  readonly servesPages: boolean;
  readonly docs: Omit<DocsOptions, 'document'>;
}

/**
 * Creates the routes of the contracts that this server has, and no others.
 * @throws Error for an operation without a handler, or a handler without an operation
 */
export function createRoutes({ generations, pipeline, ...options }: RoutesOptions): RequestListener {
  const app: Express = express();
  app
    .disable('x-powered-by')
    .disable('etag')
    .set('query parser', false)
    .set('trust proxy', [...options.trustedProxies]);
  app.enable('strict routing').enable('case sensitive routing');
  const admitMessage = refuseMalformed(pipeline, options.onRequest);
  app.use(admitMessage);
  if (options.corsOrigins.length > 0) app.use(...createCors(options.corsOrigins));
  for (const generation of generations) addOperations(app, generation, pipeline, options);
  const pages: PageOptions = {
    commonHeaders: options.commonHeaders,
    methodNotAllowed: methodNotAllowed(pipeline, ['get']),
    send: (response, headers, body) => void sendSlices(response, 200, headers, body),
  };
  app.use(createProblemRoutes(pages));
  const documents = generations.flatMap(({ documentPath, contract }) =>
    documentPath === undefined ? [] : [[documentPath, contract.document] as const],
  );
  const [current] = generations;
  if (options.servesPages && current)
    app.use(createSiteRoutes(pages, { ...options.docs, document: current.contract.document }, documents));
  const noSuchPath = (request: Request, response: Response): void =>
    pipeline.refuse(request, response, new DomainError('route-not-found', 'The API has no such path.'));
  app.use(noSuchPath);
  app.use(routingFailure(pipeline));
  // Express does not route a target without a path, such as `http://`, and would answer it with a page.
  return (incoming, outgoing) => {
    // Express extends them before it calls any handler.
    const [request, response] = [incoming as Request, outgoing as Response];
    app(request, response, () => admitMessage(request, response, () => noSuchPath(request, response)));
  };
}

function addOperations(
  app: Express,
  { contract, handlers, preHandler }: Generation,
  pipeline: Pipeline,
  { formLimits, isServed }: Pick<RoutesOptions, 'formLimits' | 'isServed'>,
): void {
  const schemas = compileSchemas(contract.document);
  const handled = handledOperations(contract.operations, handlers).filter((operation) => isServed(operation));
  for (const [path, operations] of Map.groupBy(handled, (operation) => operation.path)) {
    const route = app.route(path.replaceAll(/\{(\w+)\}/g, ':$1'));
    if (preHandler) route.all(preHandler);
    for (const operation of operations) {
      const form = compileForm(operation, schemas, formLimits);
      route[toMethod(operation)](requestHandler(pipeline, operation, form, handlers));
    }
    route.all(methodNotAllowed(pipeline, operations.map(toMethod)));
  }
}

function requestHandler<Id extends OperationId>(
  pipeline: Pipeline,
  contract: ContractOperation<Id>,
  form: Form<Id>,
  handlers: Partial<Handlers>,
): RequestHandler {
  const handler = handlers[contract.id];
  if (!handler) throw new Error(`${contract.id} has no handler`);
  return pipeline.operation<Id>({ contract, form, handler });
}

/** Returns the operations of the contract. @throws Error unless operations and handlers match */
function handledOperations(
  operations: readonly ContractOperation[],
  handlers: Partial<Handlers>,
): readonly ContractOperation<OperationId>[] {
  const isHandled = (operation: ContractOperation): operation is ContractOperation<OperationId> =>
    Object.hasOwn(handlers, operation.id);
  const operationIds = new Set(operations.map(({ id }) => id));
  const missing = operations.filter((operation) => !isHandled(operation)).map(({ id }) => id);
  const unknown = Object.keys(handlers).filter((id) => !operationIds.has(id));
  if (missing.length > 0) throw new Error(`operations of the contract without a handler: ${missing.join(', ')}`);
  if (unknown.length > 0) throw new Error(`handlers of operations that the contract lacks: ${unknown.join(', ')}`);
  return operations.filter(isHandled);
}

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;
type Method = (typeof methods)[number];

function toMethod({ id, method }: ContractOperation): Method {
  const known = methods.find((each) => each === method);
  if (!known) throw new Error(`${id} has the method ${method}, which is not routed`);
  return known;
}

/** Refuses malformed messages, and closes the connection: the start of the next message would be in doubt. */
const refuseMalformed =
  (pipeline: Pipeline, onRequest: RoutesOptions['onRequest']): RequestHandler =>
  (request, response, next) => {
    onRequest(request);
    const fault = findMessageFault(request);
    if (!fault) next();
    else {
      response.shouldKeepAlive = false;
      pipeline.refuse(request, response, fault);
    }
  };

/** Refuses other methods. GET includes HEAD (RFC 9110 section 9.3.2). */
function methodNotAllowed(pipeline: Pipeline, allowed: readonly Method[]): RequestHandler {
  const names = allowed.flatMap((method) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]));
  const allow = names.join(', ');
  return (request, response) => {
    const error = new DomainError('method-not-allowed', `This path only supports ${allow}.`);
    pipeline.refuse(request, response, error, { Allow: allow });
  };
}

/** Treats a path with broken percent-encoding as unknown. Other errors are faults of the gateway. */
const routingFailure =
  (pipeline: Pipeline): ErrorRequestHandler =>
  (error: unknown, request, response, _next) => {
    const isBadPath = error instanceof URIError || (error as { status?: unknown }).status === 400;
    const fault = isBadPath ? new DomainError('route-not-found', 'The path is not percent-encoded UTF-8.') : error;
    pipeline.refuse(request, response, fault);
  };
