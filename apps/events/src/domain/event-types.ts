/** What the log records; more may come. */
export const eventTypes = ['TRANSACTION_STATUS_CHANGE'] as const;
