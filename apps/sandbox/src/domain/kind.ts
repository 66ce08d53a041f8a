/** What can be triggered. The public contract has the same values. */
export const kinds = [
  'sample-traders',
  'trade-succeeded',
  'retirement-succeeded',
  'offramp-succeeded',
  'task-failed',
  'approval-pending',
  'approval-approved',
  'approval-rejected',
  'proposal-submitted',
] as const;

export type Kind = (typeof kinds)[number];
