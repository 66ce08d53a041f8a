import type { LookupOptions } from 'node:dns';
import { createServer, type Server } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type LookupFunction } from 'node:net';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Logger } from '@saleschannel/runtime';
import { lookUpOwnHosts, systemResolve, type Resolve } from '../src/delivering/resolver.ts';
import { createPublicLookup, createSender } from '../src/delivering/sender.ts';
import {
  checkPort,
  checkTarget,
  isPublicAddress,
  OwnHosts,
  parseAddresses,
  type TargetRules,
} from '../src/domain/target.ts';

const rules: TargetRules = {
  allowsPrivate: false,
  ports: new Set([443, 8443]),
  refused: parseAddresses(['198.51.101.0/24', '2606:4700::7']),
  own: new OwnHosts([]),
};

const privateHosts = [
  '127.0.0.1',
  '127.8.9.10',
  '0.0.0.0',
  '10.0.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '169.254.169.254',
  // Azure's host agent.
  '168.63.129.16',
  '198.51.101.9',
  '[2606:4700::7]',
  '100.64.0.1',
  '192.0.0.8',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '240.0.0.1',
  '[::1]',
  '[::]',
  '[::ffff:10.0.0.1]',
  '[::ffff:169.254.169.254]',
  '[::10.0.0.1]',
  '[fc00::1]',
  '[fd12:3456::1]',
  '[fe80::1]',
  '[fec0::1]',
  '[ff02::1]',
  '[64:ff9b::10.0.0.1]',
  '[64:ff9b:1::10.0.0.1]',
  '[2002:a00:1::1]',
  '[2001:0:a00:1::1]',
  '[100::1]',
  '[2001:db8::1]',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '017700000001',
  '127.1',
  '0177.0.0.1',
  '①②⑦.0.0.1',
  'localhost',
  'localhost.',
  'api.localhost',
];

test.each(privateHosts)('https://%s/ is refused without a look-up', async (host) => {
  expect(checkTarget(`https://${host}/`, rules)).toBe('must be a public internet address');
  const sender = createSender({ rules, resolve: refuseToResolve });
  const answer = await sender.send(`https://${host}/`, {}, '{}', new AbortController().signal);
  expect(answer).toMatchObject({ statusCode: undefined, error: 'the URL must be a public internet address' });
  await sender.close();
});

const refuseToResolve: Resolve = (hostname) => Promise.reject(new Error(`${hostname} was resolved`));

test.each([
  ['http://hooks.example/', 'must begin with https://'],
  ['ftp://hooks.example/', 'must begin with https://'],
  ['javascript:alert(1)', 'must begin with https://'],
  ['//hooks.example/', 'must be an absolute URL'],
  ['hooks', 'must be an absolute URL'],
  ['https://anna@hooks.example/', 'must not contain a user name or password'],
  ['https://anna:secret@hooks.example/', 'must not contain a user name or password'],
  ['https://hooks.example/#part', 'must not have a fragment'],
  ['https://hooks.example/#', 'must not have a fragment'],
])('%s %s', (url, fault) => {
  expect(checkTarget(url, rules)).toBe(fault);
});

test.each(['https://hooks.example/in?a=1', 'https://8.8.8.8/', 'https://[2606:4700::1111]:8443/'])(
  '%s is allowed',
  (url) => {
    expect(checkTarget(url, rules)).toBeUndefined();
  },
);

test.each([
  ['https://hooks.example/', undefined],
  ['https://hooks.example:443/', undefined],
  ['https://hooks.example:8443/', undefined],
  ['https://hooks.example:22/', 'must have the port 443 or 8443'],
  ['https://8.8.8.8:5432/', 'must have the port 443 or 8443'],
])('the port of %s: %s', (url, fault) => {
  expect(checkPort(url, rules)).toBe(fault);
  expect(checkPort(url, { ...rules, allowsPrivate: true })).toBeUndefined();
});

test('invalid refused addresses are reported', () => {
  expect(() => parseAddresses(['example.org'])).toThrow('example.org is neither an address nor a subnet');
});

test('an invalid address is not public', () => {
  for (const text of ['', 'x', '1.2.3', '::g']) expect(isPublicAddress(text)).toBe(false);
});

let server: Server;
let port: number;
let hits = 0;
beforeAll(async () => {
  server = createServer((_request, response) => {
    hits += 1;
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => void server.close());

/** Sends to a name with this resolver. */
async function sendTo(resolve: Resolve, targetRules = rules) {
  const sender = createSender({ rules: targetRules, resolve, attemptMs: 300 });
  const answer = await sender.send(`https://hooks.example:${port}/`, {}, '{}', new AbortController().signal);
  await sender.close();
  return answer;
}

test.each(['127.0.0.1', '10.0.0.1', '169.254.169.254', '168.63.129.16', '198.51.101.9', '::1', '::ffff:127.0.0.1'])(
  'a name that resolves to %s is refused',
  async (address) => {
    const answer = await sendTo(() => Promise.resolve([{ address, family: address.includes(':') ? 6 : 4 }]));
    expect(answer.error).toBe('the name has no public address');
    expect(hits).toBe(0);
  },
);

const look = (lookup: LookupFunction, options: LookupOptions) =>
  new Promise<unknown>((resolve, reject) => {
    lookup('hooks.example', options, (error, address) => (error ? reject(error) : resolve(address)));
  });

test('a name is resolved once, so that the connection goes to the address that was checked', async () => {
  let lookups = 0;
  const addresses = ['8.8.8.8', '127.0.0.1'];
  const rebinding: Resolve = () => Promise.resolve([{ address: addresses[lookups++] ?? 'none', family: 4 }]);
  const lookup = createPublicLookup(rebinding, rules);
  expect(await look(lookup, { all: true })).toEqual([{ address: '8.8.8.8', family: 4 }]);
  expect(lookups).toBe(1);
  await expect(look(lookup, { all: true })).rejects.toThrow('no public address');
  lookups = 1;
  expect((await sendTo(rebinding)).error).toBe('the name has no public address');
  expect({ lookups, hits }).toEqual({ lookups: 2, hits: 0 });
});

test.each([
  ['HTTP/1.1 099 X', 'the response is not valid HTTP'],
  ['HTTP/1.1 101 X', 'the response is not valid HTTP'],
  ['SSH-2.0-x', expect.stringMatching(/^the request failed \(Response does not match the HTTP\/1.1 protocol/)],
])('the answer %j is a failure, and its error reveals nothing of this network', async (head, expected) => {
  const other = createTcpServer((socket) => {
    socket.on('error', () => undefined).once('data', () => socket.end(`${head}\r\nContent-Length: 0\r\n\r\n`));
  });
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const sender = createSender({ rules: { ...rules, allowsPrivate: true }, resolve: systemResolve });
  const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}/`;
  const { statusCode, error } = await sender.send(url, {}, '{}', new AbortController().signal);
  await sender.close();
  other.close();
  expect({ statusCode, error }).toEqual({ statusCode: undefined, error: expected });
});

test('a name with a public and a private address uses the public one', async () => {
  const lookup = createPublicLookup(
    () =>
      Promise.resolve([
        { address: '127.0.0.1', family: 4 },
        { address: '8.8.8.8', family: 4 },
        { address: '::1', family: 6 },
      ]),
    rules,
  );
  expect(await look(lookup, { all: true })).toEqual([{ address: '8.8.8.8', family: 4 }]);
  expect(await look(lookup, {})).toBe('8.8.8.8');
  await expect(look(lookup, { family: 6 })).rejects.toThrow('no public address');
});

describe('the hosts of the installation itself', () => {
  const logger = { warn: jest.fn() } as unknown as Logger & { warn: jest.Mock };
  const withOwn = (...texts: string[]): TargetRules & { own: OwnHosts } => ({ ...rules, own: new OwnHosts(texts) });
  const resolvesTo =
    (...addresses: string[]): Resolve =>
    () =>
      Promise.resolve(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })));

  test.each([
    'https://api.example.org/',
    'https://API.example.org.:8443/in',
    'https://portal.example.org/',
    'https://8.8.4.4/',
    'https://8.8.4.4:8443/',
  ])('%s is refused at creation and at sending, on any port', async (url) => {
    const ownRules = withOwn('api.example.org', 'https://portal.example.org:9443', 'https://8.8.4.4');
    expect(checkTarget(url, ownRules)).toBe('must not be an address of this installation');
    const sender = createSender({ rules: ownRules, resolve: refuseToResolve });
    const { error } = await sender.send(url, {}, '{}', new AbortController().signal);
    expect(error).toBe('the URL must not be an address of this installation');
    await sender.close();
    expect(checkTarget(url.replace(/example\.org|8\.8\.4\.4/, 'hooks.example'), ownRules)).toBeUndefined();
  });

  test('every other name of their addresses is refused, and each address itself', async () => {
    const ownRules = withOwn('https://api.example.org');
    await lookUpOwnHosts(ownRules.own, resolvesTo('8.8.4.4', '2606:4700::8'), logger);
    for (const address of ['8.8.4.4', '2606:4700::8', '2606:4700:0:0::8'])
      expect((await sendTo(resolvesTo(address), ownRules)).error).toBe('the name has no public address');
    expect(checkTarget('https://8.8.4.4/', ownRules)).toBe('must be a public internet address');
    expect(checkTarget('https://[2606:4700::8]/', ownRules)).toBe('must be a public internet address');
    expect(checkTarget('https://8.8.8.8/', ownRules)).toBeUndefined();
  });

  test('their addresses are kept up to date; an unresolvable name keeps its previous ones', async () => {
    const ownRules = withOwn('https://api.example.org');
    const sender = createSender({ rules: ownRules, resolve: refuseToResolve, attemptMs: 1 });
    // From an unassigned range.
    const addresses = ['2d00::1', '2d00::2'];
    const refused = async (): Promise<string[]> => {
      const { signal } = new AbortController();
      const answers = await Promise.all(
        addresses.map(async (each) => ({ each, ...(await sender.send(`https://[${each}]/`, {}, '{}', signal)) })),
      );
      return answers.flatMap(({ each, error }) => (error?.startsWith('the URL must be') ? [each] : []));
    };
    expect(await refused()).toEqual([]);
    await lookUpOwnHosts(ownRules.own, resolvesTo('2d00::1'), logger);
    expect(await refused()).toEqual(['2d00::1']);
    await lookUpOwnHosts(ownRules.own, () => Promise.reject(new Error('no name server')), logger);
    expect(await refused()).toEqual(['2d00::1']);
    expect(logger.warn).toHaveBeenCalledWith(expect.objectContaining({ name: 'api.example.org' }), expect.anything());
    await lookUpOwnHosts(ownRules.own, resolvesTo('2d00::2'), logger);
    expect(await refused()).toEqual(['2d00::2']);
    await sender.close();
  });

  test('with private networks allowed, only their own ports are refused', () => {
    const ownRules = { ...withOwn('http://127.0.0.1:8080', 'https://portal.example.org'), allowsPrivate: true };
    const fault = 'must not be an address of this installation';
    expect(checkTarget('http://127.0.0.1:8080/hook', ownRules)).toBe(fault);
    expect(checkTarget('https://portal.example.org:443/', ownRules)).toBe(fault);
    expect(checkTarget('http://127.0.0.1:8081/hook', ownRules)).toBeUndefined();
    expect(checkTarget('https://portal.example.org:8443/', ownRules)).toBeUndefined();
  });

  test('a text that is neither a name nor a URL is reported', () => {
    expect(() => new OwnHosts(['api.example.org', 'a b'])).toThrow('a b is neither a name nor a URL');
  });
});
