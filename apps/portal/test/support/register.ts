import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CompactSign, exportJWK, generateKeyPair, type CryptoKey, type JWK } from 'jose';

/** Request that the API received. */
interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void;

/** Fake API behind the portal. Records requests, and answers as set. */
export class TestUpstream {
  readonly received: Received[] = [];
  /** Creates the answer. By default it returns the request. */
  answer: Answer = (_request, response) => void response.setHeader('content-type', 'application/json').end('{}');
  /** Gets each part of a body. */
  onChunk: () => void = () => undefined;
  readonly #server: Server = createServer(
    (request, response) =>
      // Senders may disconnect.
      void this.#take(request, response).catch(() => undefined),
  );

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  /** Last request. @throws Error without requests */
  get last(): Received {
    const last = this.received.at(-1);
    if (!last) throw new Error('nothing was received');
    return last;
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'none', url = 'none', headers } = request;
    let body = '';
    for await (const chunk of request) {
      body += String(chunk);
      this.onChunk();
    }
    this.received.push({ method, url, headers, body });
    this.answer(request, response, body);
  }
}

/** Fake of the gateway's public operations, with signed statements. */

type Members = Record<string, unknown>;

export interface StatementOptions {
  readonly hidden?: Members;
  readonly facts?: Members;
  readonly now?: Members;
  readonly isHidden?: boolean;
}

export const ISSUANCE = '5b0c2f3e-7d1a-4c69-9a58-2e4f80b6d913';

const facts = {
  id: '3q2-7wABz0mV9kQe1xTn4A',
  retiredAt: '2025-03-05T13:41:20.508Z',
  volume: 31250,
  beneficiaryType: 'END_CONSUMER',
  consumptionCountryCode: 'NO',
  usageType: 'SPECIFIC_ACTIVITY_LIKE_FLIGHTS',
  consumptionPeriod: { start: '2024-01-01T00:00:00.000Z', end: '2024-12-31T23:59:59.000Z' },
  certificates: [
    {
      certificates: `NCR_NRR_NCR200+_NO_K7M2QX_2024_${ISSUANCE}_121-31370`,
      start: `${ISSUANCE}_121`,
      end: `${ISSUANCE}_31370`,
      volume: 31250,
      standard: 'NCR',
      registry: 'NRR',
      creditType: 'NCR200+',
      methodologyCode: 'BIOCHAR-3',
      countryCode: 'NO',
      productionFacilityCode: 'K7M2QX',
      vintage: 2024,
      productionStartDate: '2024-07-01T00:00:00.000Z',
      productionEndDate: '2024-12-31T23:59:59.000Z',
      issuingDate: '2025-02-10T00:00:00.000Z',
    },
  ],
};

const hideable = {
  beneficiaryName: 'Nordlys Ferries <AS>',
  beneficiaryLocation: 'Bergen, Norway',
  retirementPurpose: 'Residual emissions of the Bergen-Stavanger crossing in 2024',
};

export class Register {
  readonly #statements = new Map<string, string>();
  readonly #key: CryptoKey;
  readonly keys: readonly JWK[];
  /** Answers of the list, by path. */
  listed = '[]';

  private constructor(key: CryptoKey, keys: readonly JWK[]) {
    this.#key = key;
    this.keys = keys;
  }

  static async create(): Promise<Register> {
    const { privateKey, publicKey } = await generateKeyPair('Ed25519', { extractable: true });
    const kept = await exportJWK(publicKey);
    return new Register(privateKey, [{ ...kept, kid: 'k2', alg: 'EdDSA', use: 'sig' }]);
  }

  /** Signs and publishes a statement. Returns its JSON. */
  async add({ hidden, facts: own, now, isHidden = false }: StatementOptions = {}): Promise<string> {
    const signed = { ...facts, ...own };
    const terms: Members = { ...hideable, ...hidden };
    const disclosures = Object.entries(terms).map(([name, value]) =>
      Buffer.from(JSON.stringify([`salt-${name}`, name, value])).toString('base64url'),
    );
    const digests = disclosures.map((text) => createHash('sha256').update(text).digest('base64url')).sort();
    const jws = await new CompactSign(Buffer.from(JSON.stringify({ ...signed, _sd_alg: 'sha-256', _sd: digests })))
      .setProtectedHeader({ alg: 'EdDSA', typ: 'retirement-statement+sd-jwt', kid: 'k2' })
      .sign(this.#key);
    const text = JSON.stringify({
      ...signed,
      ...(isHidden ? {} : terms),
      publication: 'LINK',
      transactionId: null,
      beneficiaryHiddenUntil: isHidden ? '2026-09-01T00:00:00.000Z' : null,
      ...now,
      signature: `${jws}~${isHidden ? '' : disclosures.map((each) => `${each}~`).join('')}`,
    });
    this.keep(signed.id, text);
    return text;
  }

  keep(id: string, text: string): void {
    this.#statements.set(id, text);
  }

  answerFor(upstream: TestUpstream): void {
    upstream.answer = ({ url = '/', headers }, response) => {
      const send = (status: number, body: string, more: Record<string, string> = {}): void =>
        void response.writeHead(status, { 'content-type': 'application/json', ...more }).end(body);
      const { pathname, searchParams } = new URL(url, 'http://api');
      const id = decodeURIComponent(pathname.split('/').at(-1) ?? 'none');
      if (pathname === '/.well-known/statement-keys.json') return send(200, JSON.stringify({ keys: this.keys }));
      if (pathname === '/public/v1/statements') {
        if (headers.accept === 'text/csv') return send(200, 'id\r\n', { 'content-type': 'text/csv;charset=utf-8' });
        const next = new URLSearchParams(searchParams);
        next.set('$after', 'n1');
        return send(200, this.listed, { link: `<${pathname}?${next.toString()}>; rel="next"` });
      }
      if (pathname.startsWith('/public/v1/certificates/') && id.startsWith(ISSUANCE)) {
        const { productionFacilityCode, methodologyCode, countryCode, creditType } = facts.certificates[0] ?? {};
        const about = { productionFacilityCode, methodologyCode, countryCode, creditType, vintage: 2024 };
        const dates = { retiredAt: facts.retiredAt, issuingDate: facts.retiredAt, expirationDate: null };
        const status = { certificate: id, status: 'RETIRED', statementId: facts.id, ...about, ...dates };
        return send(200, JSON.stringify(status));
      }
      const text = this.#statements.get(id);
      return text === undefined ? send(404, '{"type":"/problems/not-found"}') : send(200, text);
    };
  }
}
