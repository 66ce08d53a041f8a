import { connect, type Socket } from 'node:net';
import { once } from 'node:events';

/** One GET. */
export interface Read {
  readonly port: number;
  readonly path: string;
  /** Authorization header value. */
  readonly authorization?: string;
}

interface ReadLoad {
  readonly connections: number;
  readonly seconds: number;
}

const HOST = '127.0.0.1';
const HEADERS_END = '\r\n\r\n';

const encodeRequest = ({ port, path, authorization }: Read): Buffer =>
  Buffer.from(
    [
      `GET ${path} HTTP/1.1`,
      `Host: ${HOST}:${port}`,
      ...(authorization === undefined ? [] : [`Authorization: ${authorization}`]),
      HEADERS_END.slice(2),
    ].join('\r\n'),
  );

/**
 * Sends reads in rotation in a closed loop: each connection sends the next one after the answer to the last. It writes
 * to sockets, because an HTTP client costs as much as the measured service.
 * @returns number of answers with 200
 * @throws Error for any other answer
 */
export async function runReads(reads: readonly Read[], { connections, seconds }: ReadLoad): Promise<number> {
  const [first] = reads;
  if (!first) throw new Error('There must be at least one read.');
  const requests = reads.map(encodeRequest);
  const endsAt = performance.now() + seconds * 1_000;
  let next = 0;
  let answered = 0;
  const send = (socket: Socket): boolean => socket.write(requests[next++ % requests.length] ?? Buffer.alloc(0));
  const readOn = async (): Promise<void> => {
    const socket = connect({ port: first.port, host: HOST, noDelay: true });
    await once(socket, 'connect');
    await new Promise<void>((resolve, reject) => {
      const answers = new Answers();
      socket.on('error', reject).on('close', () => resolve());
      socket.on('data', (piece: Buffer) => {
        try {
          if (!answers.take(piece)) return;
        } catch (error) {
          reject(error as Error);
          socket.destroy();
          return;
        }
        answered += 1;
        if (performance.now() < endsAt) send(socket);
        else socket.destroy();
      });
      send(socket);
    });
  };
  await Promise.all(Array.from({ length: connections }, readOn));
  return answered;
}

/** Finds the ends of consecutive answers. */
class Answers {
  #head = '';
  #missing = -1;

  /** Returns whether an answer is complete. @throws Error for an answer that is not a 200 of known length */
  take(piece: Buffer): boolean {
    if (this.#missing >= 0) this.#missing -= piece.length;
    else {
      this.#head += piece.toString('latin1');
      const end = this.#head.indexOf(HEADERS_END);
      if (end === -1) return false;
      const length = /^content-length: (\d+)/im.exec(this.#head)?.[1];
      if (!this.#head.startsWith('HTTP/1.1 200') || length === undefined)
        throw new Error(`A read was answered ${this.#head.slice(0, 500)}.`);
      this.#missing = end + HEADERS_END.length + Number(length) - this.#head.length;
    }
    if (this.#missing > 0) return false;
    [this.#head, this.#missing] = ['', -1];
    return true;
  }
}
