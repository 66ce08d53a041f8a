import type { TransferType } from '@saleschannel/contracts';
import { sql } from '@saleschannel/database';
import type { Task } from '../domain/task.ts';
import type { CertificateRange } from '../domain/transfer.ts';

/** The unique key of a task. */
export interface TaskKey {
  readonly salesChannelId: string;
  readonly type: TransferType;
  readonly idempotencyKey: string;
}

/** A task with data of its request. */
export interface TaskWithRequest extends Task, TaskKey {
  readonly fingerprint: string;
  /** The selections. Null unless requested. */
  readonly assets: readonly CertificateRange[] | null;
}

/** Columns of the row `task`. */
export const taskColumns = sql`
  task.id, task.status, task.idempotency_key as "idempotencyKey", task.message, task.transaction_id as "transactionId"`;

/** Converts a key to a unique text: channel ids and types contain no slash. */
export const toKeyText = ({ salesChannelId, type, idempotencyKey }: TaskKey): string =>
  `${salesChannelId}/${type}/${idempotencyKey}`;

export const keyColumns = { salesChannelId: 'text', type: 'text', idempotencyKey: 'text' } as const;

/** A task's path in the public API. It is not found under any other path. */
export interface TaskPath {
  readonly salesChannelId: string;
  readonly type: TransferType;
  readonly traderId: string;
  readonly id: string;
}

export const pathColumns = {
  index: 'int',
  salesChannelId: 'text',
  type: 'text',
  traderId: 'text',
  id: 'text',
} as const;

/** Columns of a status change. */
export const changeColumns = {
  salesChannelId: 'text',
  sequence: 'bigint',
  transactionId: 'text',
  taskId: 'text',
  status: 'text',
} as const;
