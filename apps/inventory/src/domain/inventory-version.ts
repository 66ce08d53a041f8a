import { createHash } from 'node:crypto';

/** Everything that changes an inventory. Neither member ever returns to an earlier value. */
export interface InventoryChanges {
  /** Grows with every transaction that changes listable bundles of the trader. */
  readonly moved: string;
  /** The latest expiry of any issuance in the past. Null before the first one. */
  readonly expired: string | null;
}

/** Versions that the caller has. */
interface KnownVersions {
  readonly versions: readonly string[];
  /** True: any version matches. */
  readonly any: boolean;
}

const VERSION_CHARACTERS = 22;

/**
 * Identifies the content of a list. Equal versions have equal bundles for equal requests.
 * @param request owner of the list, and every parameter of the request
 */
export const computeInventoryVersion = ({ moved, expired }: InventoryChanges, request: object): string =>
  createHash('sha256')
    .update(JSON.stringify([moved, expired, request]))
    .digest('base64url')
    .slice(0, VERSION_CHARACTERS);

export const isKnown = (version: string, known: KnownVersions | null | undefined): boolean =>
  known ? known.any || known.versions.includes(version) : false;
