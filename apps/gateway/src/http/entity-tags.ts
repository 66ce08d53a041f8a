import { createHash } from 'node:crypto';

/** What a client has already, in the words of the service that made it. */
export interface Known {
  readonly versions: string[];
  /** `*`: anything that there is. */
  readonly any: boolean;
}

const DIGEST_CHARACTERS = 8;
/** Of ours. A client has the last one, and perhaps some of a cache. */
const VERSIONS_AT_MOST = 50;

/** One member of a list: RFC 9110 section 8.8.3. */
const ENTITY_TAG = '(?:W/)?"[\\x21\\x23-\\x7e\\x80-\\xff]*"';
/** A list may have empty members: RFC 9110 section 5.6.1.2. */
const LIST = new RegExp(`^[ \\t,]*${ENTITY_TAG}(?:[ \\t]*,[ \\t,]*${ENTITY_TAG})*[ \\t,]*$`);
const MEMBER = new RegExp(ENTITY_TAG, 'g');

/**
 * Entity tags (RFC 9110 section 8.8.3) made of versions. They are weak: a body that was read while something changed
 * has the tag of before, which no later question meets, and may differ from another such body.
 *
 * A tag holds a digest of the contract too. So none made by another generation of the API, or by a release whose
 * answers may look different, is ever taken for the same.
 */
export class EntityTags {
  readonly #lead: string;

  constructor({ text }: { readonly text: string }, generation: 'current' | 'previous') {
    const digest = createHash('sha256').update(`${generation}\n${text}`).digest('base64url');
    this.#lead = `${digest.slice(0, DIGEST_CHARACTERS)}.`;
  }

  tagOf(version: string): string {
    return `W/"${this.#lead}${version}"`;
  }

  /**
   * What an If-None-Match names (RFC 9110 section 13.1.2), by weak comparison. Undefined when it names nothing that
   * could be the answer. One that is malformed does not, so that nobody is told "unchanged" by a mistake.
   */
  knownOf(ifNoneMatch: string | undefined): Known | undefined {
    const value = ifNoneMatch?.trim();
    if (value === '*') return { versions: [], any: true };
    if (value === undefined || !LIST.test(value)) return undefined;
    const start = `"${this.#lead}`;
    const opaque = (value.match(MEMBER) ?? []).map((tag) => tag.replace(/^W\//, ''));
    const versions = opaque.filter((tag) => tag.startsWith(start)).map((tag) => tag.slice(start.length, -1));
    return versions.length > 0 ? { versions: versions.slice(0, VERSIONS_AT_MOST), any: false } : undefined;
  }
}
