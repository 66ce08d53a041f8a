/** This file was made of openapi.yaml by npm run generate:contract. */
export const sandboxKinds = [
  'sample-traders',
  'trade-succeeded',
  'retirement-succeeded',
  'offramp-succeeded',
  'task-failed',
  'approval-pending',
  'approval-approved',
  'approval-rejected',
  'proposal-submitted',
  'holder-suspended',
  'webhook-down',
  'webhook-late',
] as const;
