import type { ConfirmChannel } from 'amqplib';
import { isIntegrationEventType } from '@saleschannel/contracts';
import type { PreparingClient } from '@saleschannel/database';
import { meter, type Logger } from '@saleschannel/runtime';
import type { Broker } from './broker.ts';
import { publishConfirmed } from './confirmed.ts';
import { partitionIn, smallerBodiesOf } from './envelope-bodies.ts';
import type { OutboxFloor } from './outbox-floor.ts';
import { deleteRows, replaceRow, setRowAside, type OutboxRow } from './outbox-rows.ts';
import { RefusedByConsumersError } from './refused-by-consumers.ts';
import { Routes } from './routes.ts';
import { withSignsOfLife } from './signs-of-life.ts';
import { names, queuesOf, routingKeyOf } from './topology.ts';

interface PublisherOptions {
  readonly broker: Broker;
  readonly service: string;
  readonly logger: Logger;
  readonly floor: OutboxFloor;
  /** Called when the channel is new, and when rows that nobody waited for have ended. */
  changed(): void;
}

/** The broker closes the channel of a message that it will never take. A message above its largest size is one. */
const PRECONDITION_FAILED = 406;
/** A message that closed the channel for another reason, such as a right that is missing, lets others go first. */
const HELD_BACK_MS = 30_000;
const HELD_BACK_AT_MOST = 100;
/**
 * Bounds the memory of rows on their way, by type: those of a type whose consumers stand still hold up no other type.
 * Only a broker inside the process has so many.
 */
const UNDER_WAY_BYTES_AT_MOST = 8 * 1024 * 1024;
/** What a row takes beside its body. */
const ROW_BYTES = 4 * 1024;

const PUBLISHING = { 'messaging.system.name': 'rabbitmq', 'messaging.operation.name': 'publish' };

/**
 * Publishes rows of the outbox with confirms, and keeps those that the broker has until they are deleted. A message for
 * which the broker closes the channel is found by publishing one by one, and is cut or set aside, so that the others go
 * on.
 */
export class OutboxPublisher {
  readonly #options: PublisherOptions;
  readonly #exchange: string;
  readonly #routes: Routes;
  readonly #sent = meter().createCounter('messaging.client.sent.messages', {
    unit: '{message}',
    description: 'Outbox messages confirmed by the broker',
  });
  /** Rows that let others go first, with the time until which they do. */
  readonly #heldBack = new Map<string, number>();
  /** Types that cannot be published yet, for want of a queue. Those behind them in the outbox go first. */
  #blocked = new Set<string>();
  /** Rows that the broker has not confirmed yet. */
  readonly #underWay = new Map<string, OutboxRow>();
  readonly #bytesUnderWay = new Map<string, number>();
  readonly #published: string[] = [];
  #publishedSince: number | undefined;
  #refused: { readonly row: OutboxRow; readonly refusal: RefusedByConsumersError }[] = [];
  #channel: ConfirmChannel | undefined;
  /** Since when there is no channel, on the `performance.now()` clock. */
  #withoutChannelSince: number | undefined = performance.now();
  /** Why the broker closed the last channel, as a number of AMQP. */
  #fault: { readonly code: number; readonly message: string } | undefined;
  /** The broker closed the channel over one of several messages: it is looked for. */
  #isLooking = false;
  /** Rows that failed after their round. */
  #hasFailed = false;

  constructor(options: PublisherOptions) {
    this.#options = options;
    this.#exchange = names(options.broker.namespace).exchange;
    this.#routes = new Routes(options.broker);
    options.broker.use((channel) => this.#attach(channel));
  }

  get hasChannel(): boolean {
    return this.#channel !== undefined;
  }

  get withoutChannelMs(): number {
    return this.#withoutChannelSince === undefined ? 0 : performance.now() - this.#withoutChannelSince;
  }

  /** Whether rows wait for a queue, for their turn, or for consumers that have enough. */
  get isWaiting(): boolean {
    return this.#blocked.size > 0 || this.#heldBack.size > 0 || this.#findFull().size > 0;
  }

  get isPublishing(): boolean {
    return this.#underWay.size > 0;
  }

  /** Whether it has nothing to publish or to delete. */
  get isIdle(): boolean {
    return !this.isWaiting && !this.isPublishing && this.#published.length === 0;
  }

  /** How many rows the broker has that are not deleted yet. */
  get publishedCount(): number {
    return this.#published.length;
  }

  /** Since when, on the `performance.now()` clock. */
  get publishedSince(): number {
    return this.#publishedSince ?? Infinity;
  }

  /** The id of the oldest row on its way. */
  get oldestUnderWay(): bigint | undefined {
    let oldest: bigint | undefined;
    for (const id of this.#underWay.keys()) if (oldest === undefined || BigInt(id) < oldest) oldest = BigInt(id);
    return oldest;
  }

  /** Rows that are not to be read. */
  async excluded(): Promise<{ types: Set<string>; ids: string[] }> {
    const now = performance.now();
    this.#blocked = await this.#findBlocked(this.#blocked);
    for (const [id, until] of this.#heldBack) if (until <= now) this.#heldBack.delete(id);
    return {
      types: new Set([...this.#blocked, ...this.#findFull()]),
      ids: [...this.#heldBack.keys(), ...this.#underWay.keys()],
    };
  }

  /** The deletion of what the broker has, to be sent before the next reading, and what to call when it is done. */
  deletion(): { statements: ReturnType<typeof deleteRows>[]; done: () => void } {
    const published = [...this.#published];
    return {
      statements: published.length > 0 ? [deleteRows(published)] : [],
      done: () => {
        this.#published.splice(0, published.length);
        this.#publishedSince = this.#published.length > 0 ? performance.now() : undefined;
      },
    };
  }

  /** Sets aside what consumers have refused. */
  async setRefusedAside(client: PreparingClient): Promise<void> {
    for (let refused = this.#refused[0]; refused; refused = this.#refused[0]) {
      const { row, refusal } = refused;
      const about = { outboxId: row.id, type: row.type, reason: refusal.message };
      this.#options.logger.error(about, 'outbox relay: consumers refuse an event for good; it is in outbox_refused');
      await client.run(setRowAside({ id: row.id, body: refusal.bodyOf(row.body), reason: refusal.message }));
      this.#refused.shift();
      this.#underWay.delete(row.id);
    }
  }

  /** Publishes rows in their order, but for those whose queues are not there. Returns how many failed. */
  async publish(client: PreparingClient, rows: readonly OutboxRow[]): Promise<number> {
    const closed = await this.#findBlocked(new Set(rows.map((row) => row.type)));
    for (const type of closed) {
      this.#blocked.add(type);
      this.#options.logger.warn(`outbox relay: ${type} waits until every queue it must reach is declared`);
    }
    const channel = this.#channel;
    if (!channel) return rows.length;
    const full = this.#findFull();
    const publishable = rows.filter(({ type }) => !closed.has(type) && !full.has(type));
    const isLooking = this.#isLooking;
    const done = await withSignsOfLife(client, () =>
      isLooking ? this.#publishOneByOne(client, channel, publishable) : this.#publishTogether(channel, publishable),
    );
    if (this.#fault) this.#isLooking = true;
    else if (isLooking && channel === this.#channel) this.#isLooking = false;
    return rows.length - done;
  }

  /** Whether rows have failed since the last call. */
  takeFailure(): boolean {
    const hasFailed = this.#hasFailed;
    this.#hasFailed = false;
    return hasFailed;
  }

  #attach(channel: ConfirmChannel): Promise<void> {
    channel.on('error', ({ code, message }: Error & { code?: number }) => {
      if (code !== undefined) this.#fault = { code, message };
    });
    channel.on('close', () => {
      if (this.#channel !== channel) return;
      this.#channel = undefined;
      this.#withoutChannelSince = performance.now();
    });
    this.#channel = channel;
    this.#withoutChannelSince = undefined;
    this.#fault = undefined;
    this.#routes.forget();
    this.#options.changed();
    return Promise.resolve();
  }

  async #findBlocked(types: Iterable<string>): Promise<Set<string>> {
    const found = new Set<string>();
    for (const type of types) if (!(await this.#routes.areThere(type))) found.add(type);
    return found;
  }

  #findFull(): Set<string> {
    const full = [...this.#bytesUnderWay].filter(([, bytes]) => bytes > UNDER_WAY_BYTES_AT_MOST);
    return new Set(full.map(([type]) => type));
  }

  /**
   * Returns how many rows did not fail. Waits for the broker, unless its confirms mean that consumers are done: then
   * one that stands still would hold up the rows of all others.
   */
  async #publishTogether(channel: ConfirmChannel, rows: readonly OutboxRow[]): Promise<number> {
    const outcomes = rows.map((row) => this.#publish(channel, row));
    if (this.#options.broker.isInProcess) {
      for (const outcome of outcomes) void outcome.then((isTaken) => this.#ended(isTaken));
      return rows.length;
    }
    return (await Promise.all(outcomes)).filter((isTaken) => isTaken).length;
  }

  #ended(isTaken: boolean): void {
    if (!isTaken) this.#hasFailed = true;
    this.#options.changed();
  }

  /**
   * Stops at a row for which the broker closes the channel. Nothing else is on its way then, so the row is the cause.
   * Returns how many rows it has.
   */
  async #publishOneByOne(
    client: PreparingClient,
    channel: ConfirmChannel,
    rows: readonly OutboxRow[],
  ): Promise<number> {
    let done = 0;
    for (const row of rows) {
      const isTaken = await this.#publish(channel, row);
      if (isTaken) done++;
      if (channel === this.#channel) continue;
      if (!isTaken && this.#fault) await this.#takeAway(client, row, this.#fault);
      break;
    }
    return done;
  }

  /** Lets the others go on. A message of several entries may only be too large as a whole. */
  async #takeAway(
    client: PreparingClient,
    { id, type, body }: OutboxRow,
    { code, message: reason }: { code: number; message: string },
  ): Promise<void> {
    const { logger } = this.#options;
    const about = { outboxId: id, type, bytes: Buffer.byteLength(body), reason };
    if (code !== PRECONDITION_FAILED) {
      logger.error(about, 'outbox relay: the broker does not take an event; others go first');
      if (this.#heldBack.size < HELD_BACK_AT_MOST) this.#heldBack.set(id, performance.now() + HELD_BACK_MS);
      return;
    }
    const smaller = smallerBodiesOf(body);
    if (smaller) {
      logger.warn(about, 'outbox relay: the broker refuses a message; its entries go in smaller ones');
      await client.run(replaceRow(id, smaller));
      return;
    }
    logger.error(about, 'outbox relay: the broker refuses an event for good; it is in outbox_refused');
    await client.run(setRowAside({ id, body, reason }));
  }

  /** Returns false when the row is left in the outbox. */
  async #publish(channel: ConfirmChannel, row: OutboxRow): Promise<boolean> {
    const bytes = row.body.length + ROW_BYTES;
    this.#options.floor.took(row.id);
    this.#underWay.set(row.id, row);
    this.#addBytes(row.type, bytes);
    try {
      await this.#send(channel, row);
      this.#sent.add(1, PUBLISHING);
      this.#published.push(row.id);
      this.#publishedSince ??= performance.now();
      this.#underWay.delete(row.id);
      return true;
    } catch (error) {
      // Stays under way until it is set aside.
      if (error instanceof RefusedByConsumersError) {
        this.#refused.push({ row, refusal: error });
        return true;
      }
      this.#underWay.delete(row.id);
      this.#options.floor.gaveBack(row.id);
      return false;
    } finally {
      this.#addBytes(row.type, -bytes);
    }
  }

  #addBytes(type: string, bytes: number): void {
    this.#bytesUnderWay.set(type, (this.#bytesUnderWay.get(type) ?? 0) + bytes);
  }

  /** A broadcast reaches whoever listens, which may be nobody. */
  async #send(channel: ConfirmChannel, { type, body }: OutboxRow): Promise<void> {
    const mandatory = isIntegrationEventType(type) && queuesOf(type).length > 0;
    const properties = { type, mandatory, appId: this.#options.service };
    const routingKey = routingKeyOf(type, partitionIn(body));
    await publishConfirmed(channel, { exchange: this.#exchange, routingKey }, Buffer.from(body), properties);
  }
}
