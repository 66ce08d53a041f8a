import { types } from 'node:util';

// `instanceof Error` does not know the errors of Node under Jest, which has an Error of its own.

/** What was thrown, in words. */
export const messageOf = (error: unknown): string => (types.isNativeError(error) ? error.message : String(error));

/** The code of a system's or library's error, such as ENOENT. */
export const codeOf = (error: unknown): string | undefined =>
  types.isNativeError(error) && 'code' in error ? String(error.code) : undefined;
