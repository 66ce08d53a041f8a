export { replay, type ReplayOptions } from './replay.ts';
export type { Report } from './report.ts';
