import { createHash } from 'node:crypto';
import { Pool } from 'undici';

/** Path to read, with headers. */
export interface Read {
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
}

interface ReadAnswer {
  readonly status: number;
  readonly bytes: number;
  readonly etag: string | undefined;
  /** SHA-256 of the body. */
  readonly digest: string;
}

interface ReadResult {
  readonly reads: number;
  readonly perSecond: number;
}

/** A client that repeats one read. */
export interface Reader {
  once(read: Read): Promise<ReadAnswer>;
  /**
   * Reads for `seconds`, with `atOnce` concurrent requests, and waits for pending ones.
   * @throws Error for an answer with another status
   */
  during(read: Read, seconds: number, atOnce: number, status: number): Promise<ReadResult>;
  close(): Promise<void>;
}

export function createReader(address: string, connections: number): Reader {
  const pool = new Pool(address, { connections, pipelining: 1 });
  const begin = ({ path, headers = {} }: Read) => pool.request({ method: 'GET', path, headers: { ...headers } });
  return {
    async once(read) {
      const { statusCode, headers, body } = await begin(read);
      const digest = createHash('sha256');
      let bytes = 0;
      for await (const piece of body as AsyncIterable<Buffer>) {
        bytes += piece.length;
        digest.update(piece);
      }
      const etag = typeof headers['etag'] === 'string' ? headers['etag'] : undefined;
      return { status: statusCode, bytes, etag, digest: digest.digest('hex') };
    },
    async during(read, seconds, atOnce, status) {
      const started = performance.now();
      let reads = 0;
      const one = async (): Promise<void> => {
        while (performance.now() - started < seconds * 1_000) {
          const { statusCode, body } = await begin(read);
          for await (const _piece of body);
          if (statusCode !== status) throw new Error(`A read was answered ${statusCode}.`);
          reads += 1;
        }
      };
      await Promise.all(Array.from({ length: atOnce }, one));
      return { reads, perSecond: (reads * 1_000) / (performance.now() - started) };
    },
    close: () => pool.close(),
  };
}
