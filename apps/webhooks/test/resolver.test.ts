import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { createResolver } from '../src/delivering/resolver.ts';

const HEADER_BYTES = 12;
const TYPE_A = 1;
const FOUND = 0x81_80;
const NO_SUCH_NAME = 0x81_83;
/** Names that the server never answers. */
const FROZEN = 'frozen';
/** Names for which the server answers IPv4 queries only. */
const IPV4_ONLY = 'ipv4-only';

/** Returns the labels of a message's only question (RFC 1035 section 4.1.2), and the offset of its type. */
function questionOf(message: Buffer): { labels: string[]; typeAt: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { labels, typeAt: at + 1 };
}

/** Starts a name server that knows one address. */
async function startNameServer() {
  const socket = createSocket('udp4');
  let unanswered = 0;
  socket.on('message', (message, { port, address }) => {
    const { labels, typeAt } = questionOf(message);
    const isIpv4Query = message.readUInt16BE(typeAt) === TYPE_A;
    if (labels[0] === FROZEN || (labels[0] === IPV4_ONLY && !isIpv4Query)) {
      unanswered += 1;
      return;
    }
    const exists = labels[0] === 'hooks' || labels[0] === IPV4_ONLY;
    const hasAddress = exists && isIpv4Query;
    const header = Buffer.alloc(HEADER_BYTES);
    message.copy(header, 0, 0, 2);
    header.writeUInt16BE(exists ? FOUND : NO_SUCH_NAME, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(hasAddress ? 1 : 0, 6);
    // The question's name, type A, class IN, one minute, four bytes.
    const answer = Buffer.from([0xc0, 0x0c, 0, TYPE_A, 0, 1, 0, 0, 0, 60, 0, 4, 192, 0, 2, 7]);
    const question = message.subarray(HEADER_BYTES, typeAt + 4);
    socket.send(Buffer.concat([header, question, ...(hasAddress ? [answer] : [])]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${(socket.address() as AddressInfo).port}`,
    unanswered: () => unanswered,
    close: () => socket.close(),
  };
}

test('an unanswered name does not delay others', async () => {
  const server = await startNameServer();
  try {
    const resolve = createResolver([server.address]);
    const ends: string[] = [];
    const waiting = Array.from({ length: 16 }, (_, index) =>
      resolve(`${FROZEN}.n${index}.example`).catch(() => ends.push('frozen')),
    );
    expect(await resolve('hooks.example')).toEqual([{ address: '192.0.2.7', family: 4 }]);
    expect(ends).toEqual([]);
    await expect(resolve('nowhere.example')).rejects.toMatchObject({ code: 'ENOTFOUND' });
    expect(ends).toEqual([]);
    await Promise.all(waiting);
    expect(server.unanswered()).toBeGreaterThanOrEqual(16);
  } finally {
    server.close();
  }
});

test('a server that answers for one family only causes no wait', async () => {
  const server = await startNameServer();
  try {
    const resolve = createResolver([server.address]);
    expect(await resolve(`${IPV4_ONLY}.example`)).toEqual([{ address: '192.0.2.7', family: 4 }]);
    // A second try would take longer.
    expect(server.unanswered()).toBeLessThan(2);
  } finally {
    server.close();
  }
});
