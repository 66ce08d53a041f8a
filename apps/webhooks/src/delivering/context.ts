import type { KeyObject } from 'node:crypto';
import type { Database } from '@saleschannel/database';
import type { Clock } from '@saleschannel/primitives';
import type { Logger } from '@saleschannel/runtime';
import type { Delivery } from '../domain/delivery.ts';
import type { EventLog } from '../neighbours/event-log.ts';
import type { EndpointState } from '../store/delivery-runs.ts';
import type { Lease } from '../store/leases.ts';
import type { RunSlot } from './delivery-queues.ts';
import type { FaultInjector } from './faults.ts';
import type { AttemptResult, Sender } from './sender.ts';
import type { SharedLog } from './shared-log.ts';

/** Dependencies of delivery runs. */
export interface DeliveryContext {
  readonly database: Database;
  readonly log: EventLog;
  /** The same log, read once for all endpoints close to its end. */
  readonly sharedLog: SharedLog;
  readonly sender: Sender;
  /** Only in a sandbox. */
  readonly injectFault: FaultInjector | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly random: () => number;
  /** Counts an attempt. */
  record(delivery: Delivery, result: AttemptResult, durationMs: number): void;
  /** Decrypts the endpoint's secrets into signing keys, newest first. */
  openKeys(endpoint: EndpointState): Promise<readonly KeyObject[]>;
}

/** One run for one endpoint. */
export interface DeliveryRun {
  readonly lease: Lease;
  readonly slot: RunSlot;
  /** True if the endpoint's last attempt failed. */
  readonly isSuspect: boolean;
  /** False if the log is known to have nothing new for the endpoint. */
  readonly hasEvents: boolean;
  /** False once the lease may expire soon, or the process stops. */
  mayBegin(): boolean;
  /** Aborts attempts in flight. */
  readonly signal: AbortSignal;
}
