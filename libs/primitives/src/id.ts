import { customAlphabet } from 'nanoid';

const TIME_LENGTH = 8;
const RANDOM_LENGTH = 16;
const ID_FORM = /^c[0-9a-z]{24}$/;

const randomPart = customAlphabet('0123456789abcdefghijklmnopqrstuvwxyz', RANDOM_LENGTH);

/**
 * A new identifier in the shape of a cuid: `c`, 8 characters of the time and 16 characters (82 bits) from the
 * cryptographic random source. The time is in milliseconds in base 36, so ids sort by creation until the year 2059.
 */
export const newId = (): string => `${lowestIdAt(Date.now())}${randomPart()}`;

/** Sorts before every identifier that {@link newId} makes from this time on, and behind all from before. */
export const lowestIdAt = (timeMs: number): string =>
  `c${timeMs.toString(36).padStart(TIME_LENGTH, '0').slice(-TIME_LENGTH)}`;

/** When an identifier was made, in milliseconds since the epoch. */
export const timeOfId = (id: string): number => Number.parseInt(id.slice(1, 1 + TIME_LENGTH), 36);

/** Whether a text has the shape of an id made by {@link newId}. */
export const isId = (text: string): boolean => ID_FORM.test(text);
