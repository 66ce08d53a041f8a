import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { createServiceTokens } from '@saleschannel/auth';
import { DomainError } from '@saleschannel/errors';
import { Metadata, status, type ServiceError } from '@grpc/grpc-js';
import {
  createClient,
  createGrpcServer,
  createServiceIdentity,
  decodeError,
  encodeError,
  identityEnvironment,
  type GrpcServer,
} from '@saleschannel/grpc';
import { createLogger, readEnvironment, registerTracing, silentLogger, withSpan } from '@saleschannel/runtime';
import { catchFailure, identityVariables, neighbour } from '@saleschannel/testing';
import { transports } from './support/servers.ts';

const exporter = new InMemorySpanExporter();
const lines: Record<string, unknown>[] = [];
const destination = new Writable({
  write(chunk: Buffer, _encoding, done) {
    lines.push(JSON.parse(chunk.toString()) as Record<string, unknown>);
    done();
  },
});

const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
let endTracing: () => void;
beforeAll(async () => void (endTracing = await registerTracing(provider)));
afterAll(() => endTracing());

describe.each(transports)('%s', (_transport, hostOf) => {
  let server: GrpcServer;
  beforeAll(async () => {
    exporter.reset();
    lines.length = 0;
    const values = readEnvironment(identityEnvironment, identityVariables('rbac'));
    const { verifier } = await createServiceIdentity('rbac', values, silentLogger);
    const GetSalesChannel = () => Promise.reject(new Error('an internal error'));
    server = createGrpcServer({
      host: hostOf(),
      port: 0,
      services: [neighbour('bindingDirectory', ['traders'], { GetSalesChannel })],
      tokens: verifier,
      logger: createLogger('rbac', 'info', destination),
    });
    await server.start();
  });
  afterAll(() => server.stop());

  test('a failed call is logged with its request and trace', async () => {
    const { SERVICE_PRIVATE_KEY } = readEnvironment(identityEnvironment, identityVariables('traders'));
    const tokens = await createServiceTokens('traders', SERVICE_PRIVATE_KEY);
    const client = createClient('bindingDirectory', { address: server.address, tokens });
    const call = () => client.GetSalesChannel({ salesChannelId: 'c1' }, { requestId: 'request-1' });
    const failure = await withSpan('a request', {}, async () => catchFailure(call()));
    client.close();
    expect(failure).toMatchObject({ code: 'internal' });
    const [request] = exporter.getFinishedSpans().filter(({ name }) => name === 'a request');
    const [served] = exporter
      .getFinishedSpans()
      .filter(({ kind, name }) => kind === 1 && name.endsWith('GetSalesChannel'));
    const failures = lines.filter(({ level }) => level === 'error');
    expect(failures).toMatchObject([
      {
        level: 'error',
        service: 'rbac',
        rpc: 'rbac.v1.BindingDirectoryService/GetSalesChannel',
        requestId: 'request-1',
        caller: 'traders',
        trace_id: request?.spanContext().traceId,
        span_id: served?.spanContext().spanId,
        err: { message: 'an internal error' },
      },
    ]);
    expect(failures[0]?.['trace_id']).toMatch(/^[0-9a-f]{32}$/);
  });
});

const received = (code: status, details: string, metadata = new Metadata()): ServiceError =>
  Object.assign(new Error(details), { code, details, metadata });

test('an error is transferred completely', () => {
  const violations = [{ pointer: '#/assets/0/start', code: 'bundle-start', detail: 'no bundle starts here' }] as const;
  const {
    code,
    details = '',
    metadata,
  } = encodeError(
    new DomainError('request-refused', 'The selections cannot be carried out.', {
      violations: [...violations],
      retryAfterSeconds: 3,
    }),
  );
  expect(decodeError(received(code, details, metadata ?? new Metadata()))).toMatchObject({
    code: 'request-refused',
    message: 'The selections cannot be carried out.',
    violations,
    retryAfterSeconds: 3,
  });
});

test('an unexpected error reveals nothing to the caller', () => {
  const { code, details = '', metadata } = encodeError(new Error('select * from secret'));
  const decoded = decodeError(received(code, details, metadata ?? new Metadata()));
  expect(decoded.code).toBe('internal');
  expect(`${decoded.message}${details}`).not.toContain('secret');
});

test.each([
  [status.UNAVAILABLE, 'Connection dropped'],
  [status.DEADLINE_EXCEEDED, 'Deadline exceeded'],
  [status.CANCELLED, 'Call cancelled'],
  [status.INTERNAL, 'Received RST_STREAM with code 2 triggered by internal client error: write EPIPE'],
  [status.INTERNAL, 'Received RST_STREAM with code 2 (Internal server error)'],
])('a call that ended without an answer (%s, %s) is unavailable', (code, details) => {
  expect(decodeError(received(code, details))).toMatchObject({ code: 'unavailable', retryAfterSeconds: 2 });
});

test('an unreadable answer is an internal error', () => {
  expect(decodeError(received(status.INTERNAL, 'Failed to deserialize'))).toMatchObject({ code: 'internal' });
});
