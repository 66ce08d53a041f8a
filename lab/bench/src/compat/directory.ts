import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { AUTHORITATIVE_ANSWER, decode, encode, type Answer } from 'dns-packet';

const HOST = '127.0.0.1';

/**
 * A name server as a headless Service of Kubernetes has one: a name leads to all replicas that are ready. Callers look
 * names up by themselves, so what is tried is how they find new replicas and lose old ones, and not a list that they
 * were given.
 */
export interface Directory {
  /** What a caller is told instead of `host:port`. It has to look names up by DNS itself: see `LOOKING_UP`. */
  targetOf(name: string, port: number): string;
  add(name: string, address: string): void;
  remove(name: string, address: string): void;
  close(): void;
}

/** grpc-js asks the system, unless it is told so. The system's name server is not ours to change. */
export const LOOKING_UP = { GRPC_NODE_USE_ALTERNATIVE_RESOLVER: 'true' } as const;

export async function startDirectory(): Promise<Directory> {
  const addresses = new Map<string, Set<string>>();
  const socket = createSocket('udp4');
  socket.on('message', (message, { address, port }) => {
    const { id, questions = [] } = decode(message);
    const answers = questions.flatMap(({ type, name }): Answer[] =>
      type === 'A' ? [...(addresses.get(name) ?? [])].map((data) => ({ type: 'A', name, ttl: 0, data })) : [],
    );
    const answer = { type: 'response', id: id ?? 0, flags: AUTHORITATIVE_ANSWER, questions, answers } as const;
    socket.send(encode(answer), port, address);
  });
  socket.bind(0, HOST);
  await once(socket, 'listening');
  const { port: ownPort } = socket.address();
  const nameOf = (name: string): string => `${name}.compat`;
  return {
    targetOf: (name, port) => `dns://${HOST}:${ownPort}/${nameOf(name)}:${port}`,
    add(name, address) {
      const known = addresses.get(nameOf(name)) ?? new Set();
      addresses.set(nameOf(name), known.add(address));
    },
    remove: (name, address) => void addresses.get(nameOf(name))?.delete(address),
    close: () => socket.close(),
  };
}
