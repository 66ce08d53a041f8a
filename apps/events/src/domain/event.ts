/** What the log records. More types may come. */
export const eventTypes = ['TRANSACTION_STATUS_CHANGE'] as const;

/** Of the log, in one answer. */
export const EVENTS_PER_PAGE_AT_MOST = 1_000;

export type EventType = (typeof eventTypes)[number];

/** An event that is to be recorded. */
export interface NewEvent {
  readonly id: string;
  readonly salesChannelId: string;
  readonly eventType: EventType;
  /** When the change became effective, a date-time. */
  readonly eventAt: string;
  readonly transactionId: string;
  readonly status: string;
  /** Its place in the ledger's order of the channel. Undefined from a ledger of the first release. */
  readonly sequence: string | undefined;
}

/** An event of a channel's log. Times are ISO 8601 in UTC with milliseconds. */
export interface RecordedEvent extends Omit<NewEvent, 'salesChannelId' | 'sequence'> {
  /** When it was recorded. It strictly increases per channel. */
  readonly createdAt: string;
}
