import { customAlphabet } from 'nanoid';

const TIME_LENGTH = 8;
const RANDOM_LENGTH = 16;
const ID_FORM = /^c[0-9a-z]{24}$/;

const randomPart = customAlphabet('0123456789abcdefghijklmnopqrstuvwxyz', RANDOM_LENGTH);

/**
 * Creates an id in the form of a cuid: `c`, 8 characters of the time and 16 random ones (82 bits, cryptographic). The
 * time is in milliseconds in base 36, so ids sort by creation until the year 2059.
 */
export const newId = (): string => `${lowestIdAt(Date.now())}${randomPart()}`;

/** Returns a text that sorts before all ids of {@link newId} from this time on, and after all earlier ones. */
export const lowestIdAt = (timeMs: number): string =>
  `c${timeMs.toString(36).padStart(TIME_LENGTH, '0').slice(-TIME_LENGTH)}`;

/** Returns the creation time of an id, in milliseconds since the epoch. */
export const timeOfId = (id: string): number => Number.parseInt(id.slice(1, 1 + TIME_LENGTH), 36);

/** Returns whether a text has the form of {@link newId}. */
export const isId = (text: string): boolean => ID_FORM.test(text);
