export { runCommandLine } from './command-line.ts';
export { createReconciliation, type ConsumerReport, type Reconciliation } from './reconciliation.ts';
