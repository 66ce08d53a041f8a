import { randomUUID } from 'node:crypto';

/** Host of a test's server, by transport, for `describe.each`. */
export const transports: readonly (readonly [transport: string, hostOf: () => string])[] = [
  ['over a socket', () => '127.0.0.1'],
  ['inside the process', () => `in-process:${randomUUID()}`],
];
