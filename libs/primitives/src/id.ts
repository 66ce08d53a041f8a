import { randomFillSync } from 'node:crypto';

const ALPHABET = '0123456789abcdefghijklmnopqrstuvwxyz';
const TIME_LENGTH = 8;
const RANDOM_LENGTH = 16;
/** Bytes at or above this would favour the first four letters of the alphabet (256 is no multiple of 36). */
const UNBIASED_BYTES = 252;
const POOL_BYTES = 8192;
const ID_FORM = /^c[0-9a-z]{24}$/;

const pool = new Uint8Array(POOL_BYTES);
let poolOffset = POOL_BYTES;
let prefixMs = -1;
let prefix = '';

/**
 * A new identifier in the shape of a cuid: `c`, 8 characters of the time (milliseconds in base 36, so ids sort by
 * creation until the year 2059) and 16 characters (82 bits) from the cryptographic random source.
 */
export function newId(): string {
  const nowMs = Date.now();
  if (nowMs !== prefixMs) {
    prefixMs = nowMs;
    prefix = 'c' + nowMs.toString(36).padStart(TIME_LENGTH, '0').slice(-TIME_LENGTH);
  }
  let id = prefix;
  for (let taken = 0; taken < RANDOM_LENGTH;) {
    if (poolOffset === POOL_BYTES) {
      randomFillSync(pool);
      poolOffset = 0;
    }
    const byte = pool[poolOffset++]!;
    if (byte >= UNBIASED_BYTES) continue;
    id += ALPHABET[byte % ALPHABET.length];
    taken += 1;
  }
  return id;
}

/** Whether a text has the shape of an id made by {@link newId}. */
export function isId(text: string): boolean {
  return ID_FORM.test(text);
}
