import { connect as connectPlain, type Socket } from 'node:net';
import { connect, type ConnectionOptions } from 'node:tls';

/** Connections of strangers to a service: by socket, with any certificate. */

const TIMEOUT_MS = 60_000;
/** Preface of an HTTP/2 client (RFC 9113, section 3.4), with empty SETTINGS. */
const PREFACE = Buffer.concat([
  Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]),
]);
/** Type of a server's first HTTP/2 frame. */
const SETTINGS = 4;

/** Errors of a client that was still writing when the server closed. */
const ENDS = ['ECONNRESET', 'EPIPE'];

/** `http2` if the service answers, otherwise the code of the error, or `closed`. */
function awaitOutcome(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    socket.setTimeout(TIMEOUT_MS, () =>
      socket.destroy(new Error('The service neither answered nor closed the connection.')),
    );
    socket.on('data', (bytes: Buffer) => {
      if (bytes[3] !== SETTINGS) return;
      resolve('http2');
      socket.destroy();
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === undefined) reject(error);
      else resolve(ENDS.includes(error.code) ? 'closed' : error.code);
    });
    socket.on('close', () => resolve('closed'));
    socket.write(PREFACE);
  });
}

function parseAddress(address: string): { host: string; port: number } {
  const { hostname, port } = new URL(`tcp://${address}`);
  return { host: hostname, port: Number(port) };
}

/** @param options the client's certificate, and the authorities that it trusts */
export const connectTls = (address: string, options: ConnectionOptions): Promise<string> =>
  awaitOutcome(
    connect({ ...parseAddress(address), ALPNProtocols: ['h2'], checkServerIdentity: () => undefined, ...options }),
  );

export const connectInPlaintext = (address: string): Promise<string> => {
  const { host, port } = parseAddress(address);
  return awaitOutcome(connectPlain(port, host));
};
