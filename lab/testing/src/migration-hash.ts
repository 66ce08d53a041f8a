import { createHash } from 'node:crypto';

/** The hash that is recorded of a migration. */
export const migrationHash = (text: string): string => createHash('sha256').update(text).digest('hex');
