import { connect, type Socket } from 'node:net';
import { Agent, request as send, type IncomingHttpHeaders } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { parse } from 'yaml';
import { checkBody, checkProblem, resolve, type PublicOperation } from './public-contract.ts';

/**
 * Waits for turns of the event loop. Gateway, services and client share one process, so work that can continue does so
 * in each turn, and work that has not moved after many turns is blocked. Independent of time.
 */
export async function passTurns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await setImmediate();
}

export interface RawRequest {
  method?: string;
  path: string;
  headers?: Record<string, string | string[]>;
  body?: string | Buffer | undefined;
  /** Sends the body without Content-Length. */
  chunked?: boolean;
}

export interface RawAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

export const newAgent = (): Agent => new Agent({ keepAlive: true, maxSockets: 64 });

/** Sends a request by node:http, which allows invalid requests. */
export function sendRaw(
  address: string,
  agent: Agent,
  { method = 'GET', path, headers = {}, body, chunked = false }: RawRequest,
): Promise<RawAnswer> {
  const [host = '', port = ''] = address.split(':');
  const length = body === undefined || chunked ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
  return new Promise((resolve, reject) => {
    const request = send({ host, port, agent, method, path, headers: { ...length, ...headers } }, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(pieces).toString(),
        }),
      );
    });
    request.on('error', reject);
    if (chunked && body !== undefined) request.write(body);
    request.end(chunked ? undefined : body);
  });
}

/** Opens a raw connection, for bytes that no HTTP client would send. */
export function connectTo(address: string): Socket {
  const [host = '', port = ''] = address.split(':');
  return connect(Number(port), host);
}

/** Sends bytes, and returns all bytes received until the connection closes. */
export const talk = (address: string, bytes: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connectTo(address);
    let text = '';
    socket
      .on('connect', () => socket.write(bytes))
      .on('data', (piece: Buffer) => (text += piece.toString()))
      .on('close', () => resolve(text))
      .on('error', reject);
  });

/** Checks the media type, headers and body of a response against the contract. */
export function expectContract(operation: PublicOperation, answer: RawAnswer, isHead = false): void {
  const promised = operation.raw.responses[String(answer.status)];
  if (!promised)
    throw new Error(`${operation.id} answered ${answer.status}, which its contract does not list: ${answer.text}`);
  const { headers = {}, content = {} } = resolve(promised);
  for (const [name, header] of Object.entries(headers)) {
    const isRequired = resolve(header).required === true || (name.startsWith('RateLimit') && answer.status < 400);
    if (isRequired)
      expect({ name, value: answer.headers[name.toLowerCase()] }).toEqual({ name, value: expect.any(String) });
  }
  if (Object.keys(content).length === 0) {
    expect([answer.text, answer.headers['content-type']]).toEqual(['', undefined]);
    return;
  }
  const type = String(answer.headers['content-type']).split(';')[0] ?? '';
  expect(Object.keys(content)).toContain(type);
  if (isHead) return;
  const value: unknown = /[/+]json$/.test(type)
    ? JSON.parse(answer.text)
    : type === 'application/yaml'
      ? parse(answer.text)
      : answer.text;
  const errors = checkBody(operation, String(answer.status), type, value);
  expect({ operation: operation.id, value, errors }).toEqual({ operation: operation.id, value, errors: [] });
}

/** Checks problem details, and returns them. */
export function expectProblem(
  answer: RawAnswer,
  status: number,
  code: string,
): Record<string, unknown> & { errors?: Record<string, string>[] } {
  expect(answer.headers['content-type']).toBe('application/problem+json');
  const problem = JSON.parse(answer.text) as Record<string, unknown>;
  expect(problem).toMatchObject({
    type: `/problems/${code}`,
    status,
    title: expect.any(String),
    detail: expect.any(String),
    instance: expect.any(String),
  });
  expect(answer.status).toBe(status);
  expect(problem['requestId']).toBe(answer.headers['x-request-id']);
  expect(checkProblem(problem)).toEqual([]);
  return problem;
}
