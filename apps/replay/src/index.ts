export { replay } from './replay.ts';
export type { ReplayOptions, ReplayProgress } from './replay.ts';
export type { Account, RowProblem } from './account.ts';
export { accountText } from './account-text.ts';
export { readDemo, UnusableDemo } from './demo.ts';
export type { Demo } from './demo.ts';
export { UnreadableFile } from './file/read-file.ts';
export { Unreachable } from './api/client.ts';
