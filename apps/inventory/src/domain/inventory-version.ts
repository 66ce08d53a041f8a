import { createHash } from 'node:crypto';

/** All that an inventory can change by. Both never come to a value again that they had before. */
export interface InventoryChanges {
  /** Grows with every transaction that changes a listable bundle of the trader. */
  readonly moved: string;
  /** The latest expiry of any issuance that has passed. Null before the first one. */
  readonly expired: string | null;
}

/** Versions that a caller has. */
interface KnownVersions {
  readonly versions: readonly string[];
  /** Any version at all will do. */
  readonly any: boolean;
}

const VERSION_CHARACTERS = 22;

/**
 * Names what a list of an inventory shows: equal only where the bundles and everything that was asked for are the same.
 * @param asked whose list it is, and each word of the request
 */
export const inventoryVersion = ({ moved, expired }: InventoryChanges, asked: object): string =>
  createHash('sha256')
    .update(JSON.stringify([moved, expired, asked]))
    .digest('base64url')
    .slice(0, VERSION_CHARACTERS);

export const isKnown = (version: string, known: KnownVersions | null | undefined): boolean =>
  known ? known.any || known.versions.includes(version) : false;
