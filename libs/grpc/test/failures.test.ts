import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { createServiceTokens } from '@saleschannel/auth';
import {
  createClient,
  createGrpcServer,
  createServiceIdentity,
  identityEnvironment,
  type GrpcServer,
} from '@saleschannel/grpc';
import { createLogger, readEnvironment, registerTracing, silentLogger, withSpan } from '@saleschannel/runtime';
import { failureOf, identityVariables, neighbour } from '@saleschannel/testing';
import { transports } from './support/transports.ts';

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
    const GetSalesChannel = () => Promise.reject(new Error('a fault of ours'));
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

  test('a failed call is logged with the request and the trace that it belongs to', async () => {
    const { SERVICE_PRIVATE_KEY } = readEnvironment(identityEnvironment, identityVariables('traders'));
    const tokens = await createServiceTokens('traders', SERVICE_PRIVATE_KEY);
    const client = createClient('bindingDirectory', { address: server.address, tokens });
    const call = () => client.GetSalesChannel({ salesChannelId: 'c1' }, { requestId: 'request-1' });
    const failure = await withSpan('a request', {}, async () => failureOf(call()));
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
        err: { message: 'a fault of ours' },
      },
    ]);
    expect(failures[0]?.['trace_id']).toMatch(/^[0-9a-f]{32}$/);
  });
});
