/** Recorded types. Later releases may add more. */
export const eventTypes = ['TRANSACTION_STATUS_CHANGE'] as const;

export const MAX_EVENTS_PER_PAGE = 1_000;

export type EventType = (typeof eventTypes)[number];

/** An event to be recorded. */
export interface NewEvent {
  readonly id: string;
  readonly salesChannelId: string;
  readonly eventType: EventType;
  /** Date-time at which the change became effective. */
  readonly eventAt: string;
  readonly transactionId: string;
  readonly status: string;
  /** Undefined in changes published by the first release. */
  readonly sequence: string | undefined;
}

/** An event of a channel's log. Times are ISO 8601 in UTC with milliseconds. */
export interface RecordedEvent extends Omit<NewEvent, 'salesChannelId' | 'sequence'> {
  /** Time of recording. Strictly increases per channel. */
  readonly createdAt: string;
}
