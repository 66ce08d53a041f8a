/** `2026-03-04 11:02` in UTC, which is everybody's time here. */
export const dateTime = (text: string): string => `${day(text)} ${new Date(text).toISOString().slice(11, 16)}`;

/** `2026-03-04` in UTC. */
export const day = (text: string): string => new Date(text).toISOString().slice(0, 10);

const DAY_MS = 86_400_000;

/** Whole days from one time to another, rounded down. */
export const daysBetween = (from: number, to: string): number => Math.floor((Date.parse(to) - from) / DAY_MS);

/** `12:04:07` in UTC. */
export const clock = (text: string): string => new Date(text).toISOString().slice(11, 19);
