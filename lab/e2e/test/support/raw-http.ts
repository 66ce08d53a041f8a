import { connect } from 'node:net';
import { checkAnswer, type RawAnswer } from '../../src/contract.ts';

/** Raw HTTP, including bytes that no regular client would send. */

const TIMEOUT_MS = 60_000;

export interface RawRequest {
  method?: string;
  target: string;
  headers?: readonly (readonly [string, string])[];
  body?: string | Buffer;
}

const encodeRequest = ({ method = 'GET', target, headers = [], body }: RawRequest): Buffer => {
  const hasLength = headers.some(([name]) => /^(content-length|transfer-encoding)$/i.test(name));
  const length = body === undefined || hasLength ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
  const lines = [
    `${method} ${target} HTTP/1.1`,
    'Host: 127.0.0.1',
    'Connection: close',
    ...length,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    '',
    '',
  ];
  return Buffer.concat([Buffer.from(lines.join('\r\n'), 'latin1'), Buffer.from(body ?? '')]);
};

/**
 * Sends bytes and reads until the server closes. Undefined if it closes without an answer. `isAll` ends the sending
 * side.
 */
export function exchangeBytes(baseUrl: string, bytes: Buffer, isAll = false): Promise<RawAnswer | undefined> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => (isAll ? socket.end(bytes) : socket.write(bytes)));
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error('The server did not answer in time.')));
    socket.on('data', (piece) => pieces.push(piece));
    // A server that rejects early may reset the connection; its earlier answer counts.
    socket.on('error', (error: NodeJS.ErrnoException) =>
      ['ECONNRESET', 'EPIPE'].includes(error.code ?? '') ? undefined : reject(error),
    );
    socket.on('close', () => resolve(parseAnswer(Buffer.concat(pieces))));
  });
}

function parseAnswer(bytes: Buffer): RawAnswer | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  if (/^HTTP\/1\.1 1\d\d /.test(bytes.subarray(0, 13).toString('latin1'))) return parseAnswer(bytes.subarray(end + 4));
  const [status = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const body = bytes.subarray(end + 4);
  return {
    status: Number(status.split(' ')[1]),
    headers,
    text: (headers['transfer-encoding'] === 'chunked' ? unchunked(body) : body).toString('utf8'),
  };
}

function unchunked(bytes: Buffer): Buffer {
  const pieces: Buffer[] = [];
  for (let at = 0; ;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    const size = lineEnd === -1 ? 0 : Number.parseInt(bytes.subarray(at, lineEnd).toString('latin1'), 16);
    if (size === 0) return Buffer.concat(pieces);
    pieces.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
  }
}

/**
 * Sends a request and requires an answer that is not a server error, with problem details for an error.
 * @throws Error if the contract does not allow the answer
 */
export async function sendRaw(
  baseUrl: string,
  request: RawRequest,
): Promise<RawAnswer & { problem: { type: string; errors?: { code: string; parameter?: string }[] } | undefined }> {
  const answer = await exchangeBytes(baseUrl, encodeRequest(request));
  if (!answer) throw new Error(`${request.method ?? 'GET'} ${request.target.slice(0, 200)} was not answered.`);
  const { status, headers, text } = answer;
  const isProblem = status >= 400 && request.method !== 'HEAD';
  const problem = isProblem ? (JSON.parse(text) as { type: string; status: number; requestId: string }) : undefined;
  // The HTTP parser rejects a request before it has a path and an operation.
  if (problem?.type !== 'about:blank') checkAnswer(request.method ?? 'GET', request.target, answer);
  else if (
    status >= 500 ||
    headers['content-type'] !== 'application/problem+json' ||
    !problem.requestId ||
    problem.requestId !== headers['x-request-id'] ||
    problem.status !== status
  ) {
    throw new Error(`${request.target.slice(0, 200)} answered ${status}: ${text}`);
  }
  return { ...answer, problem };
}
