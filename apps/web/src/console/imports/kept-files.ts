import type { Schemas } from '../api.ts';
import type { FileFormat } from './records.ts';

export type RecordType = Schemas['RecordType'];

export const recordTypes: readonly RecordType[] = ['account-holder', 'production-facility', 'issuance'];

/** A file as it was sent. */
export interface SentFile {
  readonly file: Blob;
  readonly name: string;
  readonly format: FileFormat;
  /** What the records of CSV are. Those of NDJSON say it themselves. */
  readonly type: RecordType | undefined;
}

/**
 * The files of imports that were started in this tab. The service deletes a file as it applies it, and nothing of it is
 * written to this computer: a reload forgets them.
 */
const kept = new Map<string, SentFile>();

export const keptFile = (importId: string): SentFile | undefined => kept.get(importId);
export const keepFile = (importId: string, sent: SentFile): void => void kept.set(importId, sent);

export const formatOf = (name: string): FileFormat => (/\.csv$/i.test(name) ? 'csv' : 'ndjson');
