import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Market } from '../load/markets.ts';
import type { CallerRequest, Caller } from './caller.ts';
import type { Outcomes } from './outcomes.ts';

interface Task {
  readonly taskId: string;
  readonly status: string;
  readonly message: string;
  readonly responsePayload: { readonly id?: string };
}

interface Accepted {
  readonly market: Market;
  readonly kind: 'trade' | 'retire';
  readonly taskId: string;
}

const V1 = '/saleschannel-services/v1';
/** Clients retry with the same key until there is an answer. */
const ATTEMPTS_AT_MOST = 40;
const AGAIN_MS = 500;
const END_MS = 120_000;
const LOOK_MS = 200;
const RETIREMENT = {
  beneficiaryName: 'Nordlys Ferries AS',
  beneficiaryLocation: 'Bergen, Norway',
  consumptionCountryCode: 'NO',
  consumptionPeriod: { start: '2024-01-01T00:00:00.000Z', end: '2024-12-31T23:59:59.000Z' },
  retirementPurpose: 'Residual emissions of the crossing in 2024',
};

/** Trades and retirements, and a record of the accepted ones. */
export class Transfers {
  readonly accepted: Accepted[] = [];
  /** Status of each task, by transaction. */
  readonly transactions = new Map<string, string>();
  readonly #caller: Caller;
  readonly #outcomes: Outcomes;
  #turn = 0;

  constructor(caller: Caller, outcomes: Outcomes) {
    this.#caller = caller;
    this.#outcomes = outcomes;
  }

  /** Transfers one certificate of the next issuance. */
  async start(market: Market, kind: Accepted['kind']): Promise<void> {
    const issuance = market.issuances[this.#turn++ % market.issuances.length];
    if (!issuance) throw new Error('The market has nothing left to sell.');
    const certificate = `${issuance.issuanceId}_${issuance.nextSerial++}`;
    const asset = { start: certificate, end: certificate };
    const body =
      kind === 'trade'
        ? { buyerId: market.buyerId, currency: 'EUR', assets: [{ ...asset, unitPrice: 1.5 }] }
        : { ...RETIREMENT, currency: null, assets: [asset] };
    const request = {
      method: 'POST',
      path: `${V1}/traders/${market.sellerId}/inventory/${kind}`,
      credentials: market.credentials,
      headers: { 'idempotency-key': randomUUID() },
      body,
    } as const;
    const taskId = await this.#untilAnswered(kind, request);
    if (taskId === undefined) return void this.#outcomes.faults.push(`a ${kind} got no answer`);
    this.accepted.push({ market, kind, taskId });
    if (this.#turn % 5 === 0) await this.#again(kind, request, taskId);
  }

  async #untilAnswered(kind: string, request: CallerRequest): Promise<string | undefined> {
    for (let attempt = 0; attempt < ATTEMPTS_AT_MOST; attempt++) {
      const answer = await this.#caller.send<Task>(kind, request);
      if (answer) return answer.body.taskId;
      await delay(AGAIN_MS);
    }
    return undefined;
  }

  /** Repeats the request, as a client does after a lost answer. It may reach another release. */
  async #again(kind: string, request: CallerRequest, taskId: string): Promise<void> {
    await delay(AGAIN_MS);
    const again = await this.#caller.send<Task>(`${kind} again`, request);
    if (again && again.body.taskId !== taskId)
      this.#outcomes.faults.push(`a repeated ${kind} created task ${again.body.taskId} in addition to ${taskId}`);
  }

  /** Reads every accepted task until it has ended. */
  async settle(): Promise<void> {
    const until = performance.now() + END_MS;
    for (const { market, kind, taskId } of this.accepted) {
      const path = `${V1}/traders/${market.sellerId}/inventory/${kind}/${taskId}`;
      for (;;) {
        const answer = await this.#caller.send<Task>('task', { path, credentials: market.credentials });
        const { status = 'PENDING', message, responsePayload } = answer?.body ?? {};
        if (status === 'PENDING' && performance.now() < until) {
          await delay(LOOK_MS);
          continue;
        }
        if (status !== 'SUCCESS' || responsePayload?.id === undefined)
          this.#outcomes.faults.push(`task ${taskId} (${kind}) is ${status}: ${message}`);
        else if (this.transactions.has(responsePayload.id))
          this.#outcomes.faults.push(`transaction ${responsePayload.id} belongs to two tasks`);
        else this.transactions.set(responsePayload.id, status);
        break;
      }
    }
  }
}
