export { createAdministration, type Administration } from './administration.ts';
export { runCommandLine } from './command-line.ts';
export { createReconciliation, type ConsumerReport, type Reconciliation } from './reconciliation.ts';
export { createPowers, type Powers } from './powers.ts';
