import { Migration } from '@mikro-orm/migrations';
import { appendOnly } from '@saleschannel/database';

/**
 * `created_at` is no timestamptz(3): that would round a finer time in silence, and rounding up may pass the next event. The check refuses it instead.
 * `event_head` holds the last time given out in a channel; whoever holds its row appends.
 */
export class Migration20261121000001_event_log extends Migration {
  override up(): void {
    this.addSql(`
      create table event_head (
        sales_channel_id text primary key,
        last_created_at timestamptz not null default 'epoch'
      )`);
    this.addSql(`
      create table event (
        sales_channel_id text not null check (sales_channel_id <> ''),
        created_at timestamptz not null
          constraint event_created_at_in_milliseconds check (mod(extract(microseconds from created_at at time zone 'UTC'), 1000) = 0)
          constraint event_created_at_after_epoch check (created_at > 'epoch'),
        id text not null check (id <> ''),
        event_type text not null check (event_type in ('TRANSACTION_STATUS_CHANGE')),
        event_at timestamptz not null,
        transaction_id text not null check (transaction_id <> ''),
        status text not null check (status in ('PENDING', 'SUCCESS', 'REJECTED', 'FAILED')),
        constraint event_created_at_once primary key (sales_channel_id, created_at),
        constraint event_once unique (id)
      )`);
    this.addSql(appendOnly('event'));
  }
}

export const migrations = [Migration20261121000001_event_log];
