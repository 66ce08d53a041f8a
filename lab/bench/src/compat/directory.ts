import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { AUTHORITATIVE_ANSWER, decode, encode, type Answer } from 'dns-packet';

const HOST = '127.0.0.1';

/**
 * A DNS server that works like a headless Service of Kubernetes: a name resolves to all ready replicas. Callers resolve
 * names themselves, so the trial also tests how they find new replicas and drop old ones.
 */
export interface Directory {
  /** Target for callers in place of `host:port`. They must resolve it by DNS: see `GRPC_RESOLVER`. */
  toTarget(name: string, port: number): string;
  add(name: string, address: string): void;
  remove(name: string, address: string): void;
  close(): void;
}

/** Makes grpc-js use its own resolver, because the system's DNS server cannot be changed here. */
export const GRPC_RESOLVER = { GRPC_NODE_USE_ALTERNATIVE_RESOLVER: 'true' } as const;

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
  const toHostName = (name: string): string => `${name}.compat`;
  return {
    toTarget: (name, port) => `dns://${HOST}:${ownPort}/${toHostName(name)}:${port}`,
    add(name, address) {
      const known = addresses.get(toHostName(name)) ?? new Set();
      addresses.set(toHostName(name), known.add(address));
    },
    remove: (name, address) => void addresses.get(toHostName(name))?.delete(address),
    close: () => socket.close(),
  };
}
