import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import { DomainError, invalidRequest } from '@saleschannel/errors';
import type { Contract } from '../contract/document.ts';
import { compileSchemas } from '../contract/schemas.ts';
import { compileShape } from '../contract/shape.ts';
import { pageRoutes } from '../docs/routes.ts';
import { assertComplete } from '../operations/index.ts';
import { createCors } from './cors.ts';
import type { Handler, Pipeline } from './pipeline.ts';

export interface RoutesOptions {
  contract: Contract;
  handlers: ReadonlyMap<string, Handler>;
  pipeline: Pipeline;
  commonHeaders: Readonly<Record<string, string>>;
  trustedProxies: readonly string[];
  corsOrigins: readonly string[];
}

/** Every path of the contract and nothing else. @throws Error when an operation has no handler, or a handler no operation */
export function createRoutes({ contract, handlers, pipeline, ...options }: RoutesOptions): Express {
  assertComplete(contract.operations, handlers);
  const schemas = compileSchemas(contract.document);
  const app = express();
  app
    .disable('x-powered-by')
    .disable('etag')
    .set('query parser', false)
    .set('trust proxy', [...options.trustedProxies]);
  app.enable('strict routing').enable('case sensitive routing');
  app.use(requireHost(pipeline));
  if (options.corsOrigins.length > 0) app.use(createCors(options.corsOrigins));
  for (const [path, operations] of Map.groupBy(contract.operations, (operation) => operation.path)) {
    const route = app.route(path.replaceAll(/\{(\w+)\}/g, ':$1'));
    for (const operation of operations) {
      const handler = handlers.get(operation.id) as Handler;
      route[operation.method as 'get'](pipeline.operation(operation, compileShape(operation, schemas), handler));
    }
    route.all(
      methodNotAllowed(
        pipeline,
        operations.map(({ method }) => method.toUpperCase()),
      ),
    );
  }
  app.use(pageRoutes(options.commonHeaders, methodNotAllowed(pipeline, ['GET'])));
  app.use((request, response) =>
    pipeline.refuse(request, response, new DomainError('route-not-found', 'The API has no such path.')),
  );
  app.use(routingFailure(pipeline));
  return app;
}

/** RFC 9112 section 3.2. */
const requireHost =
  (pipeline: Pipeline): RequestHandler =>
  (request, response, next) => {
    if (request.headers.host !== undefined || request.httpVersion !== '1.1') next();
    else
      pipeline.refuse(
        request,
        response,
        invalidRequest('The request has no Host header.', [
          { parameter: 'Host', detail: 'is required', code: 'required' },
        ]),
      );
  };

/** GET answers HEAD too (RFC 9110 section 9.3.2). */
function methodNotAllowed(pipeline: Pipeline, methods: string[]): RequestHandler {
  const allow = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
  return (request, response) =>
    pipeline.refuse(request, response, new DomainError('method-not-allowed', `This path answers ${allow}.`), {
      Allow: allow,
    });
}

/** A path whose percent-encoding is broken is no path; anything else is our fault. */
const routingFailure =
  (pipeline: Pipeline): ErrorRequestHandler =>
  (error: unknown, request, response, _next) => {
    const isBadPath = error instanceof URIError || (error as { status?: unknown }).status === 400;
    pipeline.refuse(
      request,
      response,
      isBadPath ? new DomainError('route-not-found', 'The path is not percent-encoded UTF-8.') : error,
    );
  };
