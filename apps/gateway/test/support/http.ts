import { connect, type Socket } from 'node:net';
import { Agent, request as send, type IncomingHttpHeaders } from 'node:http';

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
