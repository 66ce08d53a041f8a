import type { TransferType } from '@saleschannel/contracts';
import { sql } from '@saleschannel/database';
import type { Task } from '../domain/task.ts';

/** What the statements on tasks have in common, of those that are at hand and of those that ended long ago. */

/** What a task is unique by. */
export interface TaskKey {
  readonly salesChannelId: string;
  readonly type: TransferType;
  readonly idempotencyKey: string;
}

/** Certificates as a stored request names them. */
export interface StoredRange {
  /** `<issuance id>_<serial>` */
  readonly start: string;
  /** `<issuance id>_<serial>` */
  readonly end: string;
}

/** A task together with what its request was. */
export interface TaskOfRequest extends Task, TaskKey {
  readonly fingerprint: string;
  /** What was selected. Null where nobody asked for it. */
  readonly assets: readonly StoredRange[] | null;
}

/** Of whatever is called `task` in the statement. */
export const taskColumns = sql`
  task.id, task.status, task.idempotency_key as "idempotencyKey", task.message, task.transaction_id as "transactionId"`;

/** A text for each key. Channels and types hold no slash. */
export const keyText = ({ salesChannelId, type, idempotencyKey }: TaskKey): string =>
  `${salesChannelId}/${type}/${idempotencyKey}`;

export const keyColumns = { salesChannelId: 'text', type: 'text', idempotencyKey: 'text' } as const;

/** Where a task is, as the public API names it: at any other place it is not found. */
export interface TaskPlace {
  readonly salesChannelId: string;
  readonly type: TransferType;
  readonly traderId: string;
  readonly id: string;
}

export const placeColumns = {
  index: 'int',
  salesChannelId: 'text',
  type: 'text',
  traderId: 'text',
  id: 'text',
} as const;

/** Of a change of status, by what it says of its task. */
export const changeColumns = {
  salesChannelId: 'text',
  sequence: 'bigint',
  transactionId: 'text',
  taskId: 'text',
  status: 'text',
} as const;
