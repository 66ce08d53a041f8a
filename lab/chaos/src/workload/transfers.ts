import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { shuffle } from '@saleschannel/testing/draw';
import type { ClientAnswer, Client } from './client.ts';
import type { RunJournal } from './journal.ts';
import { asChannel, V1, type Market } from './market.ts';

type TransferKind = 'trade' | 'retire' | 'offramp';

export interface Task {
  readonly taskId: string;
  readonly status: string;
  readonly responsePayload: { readonly id?: string };
}

export interface PendingTrade {
  readonly reserved: Promise<unknown>;
  readonly ended: Promise<unknown>;
}

interface Bundle {
  readonly start: string;
  readonly end: string;
  readonly volume: number;
}

const RETIREMENT = {
  beneficiaryName: 'Nordlys Ferries AS',
  beneficiaryLocation: 'Bergen, Norway',
  consumptionCountryCode: 'NO',
  consumptionPeriod: { start: '2024-01-01T00:00:00.000Z', end: '2024-12-31T23:59:59.000Z' },
  retirementPurpose: 'Residual emissions of the crossing in 2024',
  currency: null,
  statement: { publication: 'PUBLIC' },
};
const LISTED = 60;
const BUNDLES_AT_MOST = 3;
const SPLIT_AT_MOST = 12;
const ASK_MS = 1_000;
const ASK_LATER_MS = 5_000;
const ASKED_OFTEN = 10;
const REPEAT_MS = 3_000;
/** Shares of transfers. */
const TWICE = 0.1;
const REPEATED = 0.1;
const REFERENCED = 0.5;
/** A transfer may be rejected because another one was faster. */
const CONTENDED = [201, 400];

/** The certificate `offset` places after another one. */
function certificateAt(start: string, offset: number): string {
  const cut = start.lastIndexOf('_') + 1;
  const serial = start.slice(cut);
  return start.slice(0, cut) + String(BigInt(serial) + BigInt(offset)).padStart(serial.length, '0');
}

/** Trades, retirements and offramps, including invalid ones. */
export class Transfers {
  readonly #client: Client;
  readonly #journal: RunJournal;
  readonly #random: () => number;

  constructor(client: Client, journal: RunJournal, random: () => number) {
    this.#client = client;
    this.#journal = journal;
    this.#random = random;
  }

  pick<T>(items: readonly T[]): T {
    return items[Math.floor(this.#random() * items.length)] as T;
  }

  /** Resolves when the task has ended. */
  async start(market: Market, kind: TransferKind, traderId = this.#seller(market, kind)): Promise<Task | undefined> {
    const accepted = await this.#submit(market, kind, traderId);
    return accepted && this.#follow(market, kind, traderId, accepted);
  }

  /** Starts a trade that needs approval. `reserved` resolves after the ledger's decision. */
  async startWaiting(market: Market, traderId: string): Promise<PendingTrade | undefined> {
    const accepted = await this.#submit(market, 'trade', traderId);
    if (!accepted) return undefined;
    const hasTransaction = ({ responsePayload }: Task): boolean => responsePayload.id !== undefined;
    const reserved = this.#untilTrue(market, 'trade', traderId, accepted, hasTransaction);
    return { reserved, ended: reserved.then(() => this.#follow(market, 'trade', traderId, accepted)) };
  }

  /** Sends transfers that must be rejected: too much, duplicates, certificates of another sales channel. */
  async startRefused(market: Market, other: Market | undefined): Promise<void> {
    const [bundle] = await this.#listBundles(market, this.pick(market.traders));
    if (!bundle) return;
    const { start, end } = bundle;
    const unissued = { start: `${randomUUID()}_1`, end: `${randomUUID()}_9` };
    const [foreign] = other ? await this.#listBundles(other, this.pick(other.traders)) : [];
    const assets = this.pick([
      [{ start, end: certificateAt(end, 1_000_000) }],
      [
        { start, end },
        { start, end },
      ],
      foreign ? [{ start: foreign.start, end: foreign.start }] : [{ start: certificateAt(end, 1), end: start }],
      [{ start, end }, unissued],
    ]);
    const kind = this.pick(['trade', 'retire'] as const);
    await this.#post(market, kind, this.pick(market.traders), this.#buildBody(market, kind, '', assets), {
      kind: `refused ${kind}`,
      expected: [400],
    });
  }

  #seller(market: Market, kind: TransferKind): string {
    // Only traders onboarded by a proposal may offramp.
    return kind === 'offramp' ? this.pick(market.parties).traderId : this.pick(market.traders);
  }

  async #submit(market: Market, kind: TransferKind, traderId: string): Promise<ClientAnswer<Task> | undefined> {
    const bundles = shuffle(await this.#listBundles(market, traderId), this.#random);
    const chosen = bundles.slice(0, 1 + Math.floor(this.#random() * BUNDLES_AT_MOST));
    if (chosen.length === 0) return undefined;
    const body = this.#buildBody(
      market,
      kind,
      traderId,
      chosen.flatMap((bundle) => this.#select(bundle)),
    );
    const key = randomUUID();
    const twice = this.#random() < TWICE;
    const answer = await this.#post(market, kind, traderId, body, { kind, expected: CONTENDED, key, twice });
    if (answer?.status !== 201) return undefined;
    if (this.#random() < REPEATED) await this.#repeat(market, kind, traderId, body, key);
    return answer;
  }

  /** Repeats an answered request, and sends another one with its key. */
  async #repeat(market: Market, kind: TransferKind, traderId: string, body: object, key: string): Promise<void> {
    await delay(REPEAT_MS * this.#random());
    await this.#post(market, kind, traderId, body, { kind: `repeat ${kind}`, expected: [201], key });
    const changed = { ...body, metadata: { changed: 'yes' } };
    await this.#post(market, kind, traderId, changed, { kind: `reuse key of ${kind}`, expected: [400], key });
  }

  /** Selects a part of a bundle, in one selection or in two adjacent ones. */
  #select({ start, end, volume }: Bundle): { start: string; end: string }[] {
    const count = this.#random() < 0.2 ? volume : Math.min(volume, 1 + Math.floor(this.#random() * SPLIT_AT_MOST));
    const last = count === volume ? end : certificateAt(start, count - 1);
    if (count < 2 || this.#random() < 0.7) return [{ start, end: last }];
    const cut = Math.floor(count / 2);
    return [
      { start, end: certificateAt(start, cut - 1) },
      { start: certificateAt(start, cut), end: last },
    ];
  }

  #buildBody(market: Market, kind: TransferKind, sellerId: string, assets: readonly object[]): object {
    const notes =
      this.#random() < REFERENCED ? { externalReference: randomUUID(), metadata: { order: randomUUID() } } : {};
    if (kind === 'offramp') return { assets, ...notes };
    if (kind === 'retire') return { ...RETIREMENT, assets, ...notes };
    const buyerId = this.pick(market.traders.filter((id) => id !== sellerId));
    return { buyerId, currency: 'EUR', assets: assets.map((asset) => ({ ...asset, unitPrice: 1.5 })), ...notes };
  }

  #post(
    market: Market,
    path: TransferKind,
    traderId: string,
    body: object,
    options: { kind: string; expected: readonly number[]; key?: string; twice?: boolean },
  ): Promise<ClientAnswer<Task> | undefined> {
    const asked = { method: 'POST', path: `${V1}/traders/${traderId}/inventory/${path}`, body, ...options } as const;
    return this.#client.send<Task>(asChannel(market, asked));
  }

  async #listBundles(market: Market, traderId: string): Promise<readonly Bundle[]> {
    const path = `${V1}/traders/${traderId}/inventory?$limit=${LISTED}`;
    return (await this.#client.send<Bundle[]>(asChannel(market, { kind: 'list inventory', path })))?.body ?? [];
  }

  async #follow(market: Market, kind: TransferKind, traderId: string, accepted: ClientAnswer<Task>): Promise<Task> {
    const task = await this.#untilTrue(market, kind, traderId, accepted, ({ status }) => status !== 'PENDING');
    if (task.status !== 'PENDING') {
      const { request } = accepted;
      this.#journal.add({ type: 'end', request, status: task.status, id: task.responsePayload.id });
    }
    return task;
  }

  async #untilTrue(
    market: Market,
    kind: TransferKind,
    traderId: string,
    accepted: ClientAnswer<Task>,
    isTrue: (task: Task) => boolean,
  ): Promise<Task> {
    let task = accepted.body;
    const path = `${V1}/traders/${traderId}/inventory/${kind}/${task.taskId}`;
    for (let asked = 0; !isTrue(task) && task.status === 'PENDING' && !this.#client.hasGivenUp; asked++) {
      await delay(asked < ASKED_OFTEN ? ASK_MS : ASK_LATER_MS);
      task = (await this.#client.send<Task>(asChannel(market, { kind: 'read task', path })))?.body ?? task;
    }
    return task;
  }
}
