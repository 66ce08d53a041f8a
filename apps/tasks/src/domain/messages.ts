/** What a task tells people. */
export const taskMessages = {
  waiting: 'The task is waiting to be picked up.',
  reserved: "The certificates are reserved; the transaction waits for the seller's approval.",
  success: 'The transaction is complete.',
  rejected: 'The seller rejected the transaction.',
  failed: 'The transaction could not be completed.',
} as const;
