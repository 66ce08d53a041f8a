import { connect } from 'node:net';
import { beforeAll, expect } from '@jest/globals';
import { basicAuthorization, type Client } from '../../src/client.ts';
import { type Operation, checkAnswer, type RawAnswer } from '../../src/contract.ts';
import type { System } from '../../src/system.ts';
import {
  accountHolderBody,
  listBundles,
  buyer,
  issuanceBody,
  issue,
  operator,
  retirementBody,
  seller,
  v1,
  type Issue,
} from './api.ts';
import { useSystem } from './system.ts';

/** Raw HTTP, including bytes that no regular client would send. */

const TIMEOUT_MS = 60_000;

interface RawRequest {
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
async function sendRaw(
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

/**
 * Any bad input must be answered with problem details as the client's fault, never as a failure of the service. The
 * clients of these tests check that for every answer.
 */

/** Valid requests that tests of bad input modify. */
export interface BadInputContext {
  readonly system: System;
  readonly client: Client;
  readonly authorization: string;
  readonly registryAuthorization: string;
  readonly bundle: Issue;
  readonly ids: { readonly traderId: string; readonly accountHolderId: string };
  /** A valid body of each operation that takes one. */
  readonly bodies: Record<string, unknown>;
  clientOf(operation: Operation): Client;
  credentialsOf(operation: Operation): [string, string];
  /** Path of the operation with valid ids, except for the given ones. */
  pathOf(operation: Operation, given?: Record<string, string>): string;
  raw(request: RawRequest): ReturnType<typeof sendRaw>;
}

export const userPath = `${v1}/traders`;
const UNKNOWN = 'cm7q1a9tr0003x9f2b6s2j8u';
/** The port of "discard" (RFC 863), on which no process listens. */
const NOBODY = 'http://127.0.0.1:9/in';

export const deepArray = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
export const deepObject = (levels: number): string => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels);

/** Creates the {@link BadInputContext} of a test file. */
export function useBadInput(): () => BadInputContext {
  const system = useSystem();
  let created: BadInputContext | undefined;
  beforeAll(async () => {
    created = await createBadWorld(system());
  });
  return () => {
    if (!created) throw new Error('The system has not started.');
    return created;
  };
}

/** Checks that the system still works and has lost nothing. */
export async function expectIntact({ system, client, ids, bundle }: BadInputContext): Promise<void> {
  await system.waitUntilDrained();
  const bundles = await listBundles(client, ids.traderId, bundle.issuanceId);
  expect(bundles.reduce((sum, { volume }) => sum + volume, 0)).toBeGreaterThan(0);
  await system.createClient('nobody').ok('GET', '/readyz');
}

async function createBadWorld(system: System): Promise<BadInputContext> {
  const [channel] = system.channels;
  const user = operator(channel);
  const client = system.createClient(user);
  const authorization = basicAuthorization(user.apiKey.id, user.apiKey.secret);
  const registryAuthorization = basicAuthorization(system.demo.registryKey.id, system.demo.registryKey.secret);
  const bundle = await issue(system, channel);
  const endpoint = await client.ok<{ id: string }>('POST', `${v1}/webhook-endpoints`, { body: { url: NOBODY } });
  const ids = {
    traderId: seller(channel).id,
    accountHolderId: channel.accountHolderId,
    code: 'BAD001',
    webhookEndpointId: endpoint.id,
  };
  return {
    system,
    client,
    authorization,
    registryAuthorization,
    bundle,
    ids,
    bodies: bodiesFor(system, bundle),
    clientOf: ({ principal }) => (principal === 'registry' ? system.registry : client),
    credentialsOf: ({ principal }) => [
      'Authorization',
      principal === 'registry' ? registryAuthorization : authorization,
    ],
    pathOf: ({ path }, given = {}) =>
      path.replaceAll(
        /\{(\w+)\}/g,
        (_, name: string) => (({ ...ids, ...given }) as Record<string, string>)[name] ?? UNKNOWN,
      ),
    raw: (request) => sendRaw(system.baseUrl, request),
  };
}

function bodiesFor({ channels: [channel] }: System, { range }: Issue): Record<string, unknown> {
  const asset = range(1, 1);
  const creditingPeriod = { start: '2024-01-01T00:00:00.000Z', end: '2025-01-01T00:00:00.000Z' };
  return {
    createTrader: {
      businessId: 'B',
      name: 'N',
      address: { zipCode: '1', city: 'C', countryName: 'C', street: 'S', poBox: 'P' },
    },
    updateTrader: { businessId: 'B', name: 'N', address: { zipCode: '1', city: null } },
    startTrade: { buyerId: buyer(channel).id, currency: 'EUR', assets: [{ ...asset, unitPrice: 1 }] },
    startRetirement: { ...retirementBody([asset]), beneficiaryType: 'SUPPLIER', usageType: 'OTHER' },
    startOfframp: { assets: [asset], externalReference: 'R', metadata: { a: 'b' } },
    planTransfer: { type: 'OFFRAMP', volume: 1, order: 'OLDEST', filter: { vintage: { eq: '2024' } } },
    updateStatement: { publication: 'LINK', beneficiaryHiddenUntil: null },
    nameKey: { name: 'N' },
    ensureUser: { issuer: 'https://id.example', subject: 'S' },
    createInvitation: { email: 'e@example.test', roles: ['EVENT_VIEWER'] },
    acceptInvitation: { token: 'scs_inv_x' },
    createWebhookEndpoint: { url: NOBODY, description: 'D', eventTypes: null, ordered: true },
    updateWebhookEndpoint: { url: NOBODY, description: null, status: 'ENABLED' },
    rotateWebhookSecret: { overlapHours: 1 },
    replayWebhookEvents: { from: '2020-01-01T00:00:00Z', to: null, failedOnly: true },
    createRegistryKey: { expiresAt: new Date(Date.now() + 86_400_000).toISOString() },
    createAccountHolder: accountHolderBody({ autoApproval: true }),
    updateAccountHolder: { name: 'N', address: { city: 'C', street2: null } },
    onramp: { salesChannelId: channel.salesChannelId, assets: [asset] },
    updateOwnHolder: { address: { city: 'C', street2: null } },
    onrampHoldings: { salesChannelId: channel.salesChannelId, assets: [asset] },
    submitHolderProposal: { salesChannelId: channel.salesChannelId },
    putFacility: { name: 'N', country: 'FI', methodologyCodes: ['M'], supplier: 'S', gsrn: '1', creditingPeriod },
    createIssuance: issuanceBody(channel, { salesChannelId: null, expirationDate: null, creditTypeId: 'X' }),
    submitProposal: { accountHolderId: channel.accountHolderId, salesChannelId: channel.salesChannelId },
  };
}
