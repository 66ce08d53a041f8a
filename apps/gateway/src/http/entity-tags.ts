import { createHash } from 'node:crypto';

/** Versions that a client already has, as the service named them. */
export interface KnownVersions {
  readonly versions: string[];
  /** `*`: any version. */
  readonly any: boolean;
}

const DIGEST_CHARACTERS = 8;
/** Further versions are ignored: clients have the latest one and perhaps a few cached ones. */
const VERSIONS_AT_MOST = 50;

const ENTITY_TAG = '(?:W/)?"[\\x21\\x23-\\x7e\\x80-\\xff]*"';
/** List, possibly with empty members (RFC 9110 section 5.6.1.2). */
const LIST = new RegExp(`^[ \\t,]*${ENTITY_TAG}(?:[ \\t]*,[ \\t,]*${ENTITY_TAG})*[ \\t,]*$`);
const MEMBER = new RegExp(ENTITY_TAG, 'g');

/**
 * Creates entity tags (RFC 9110 section 8.8.3) from versions. They are weak: two bodies read during a change may differ
 * although both have the tag of the previous version. That tag never matches later.
 *
 * A tag includes a digest of the contract, so that tags of another generation of the API, or of a release with other
 * answers, never match.
 */
export class EntityTags {
  readonly #lead: string;

  constructor({ text }: { readonly text: string }, generation: 'current' | 'previous') {
    const digest = createHash('sha256').update(`${generation}\n${text}`).digest('base64url');
    this.#lead = `${digest.slice(0, DIGEST_CHARACTERS)}.`;
  }

  createTag(version: string): string {
    return `W/"${this.#lead}${version}"`;
  }

  /**
   * Parses If-None-Match (RFC 9110 section 13.1.2), for weak comparison. Undefined if it is malformed or cannot match.
   */
  parseIfNoneMatch(ifNoneMatch: string | undefined): KnownVersions | undefined {
    const value = ifNoneMatch?.trim();
    if (value === '*') return { versions: [], any: true };
    if (value === undefined || !LIST.test(value)) return undefined;
    const start = `"${this.#lead}`;
    const opaque = (value.match(MEMBER) ?? []).map((tag) => tag.replace(/^W\//, ''));
    const versions = opaque.filter((tag) => tag.startsWith(start)).map((tag) => tag.slice(start.length, -1));
    return versions.length > 0 ? { versions: versions.slice(0, VERSIONS_AT_MOST), any: false } : undefined;
  }
}
