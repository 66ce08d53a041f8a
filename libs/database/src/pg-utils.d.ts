/** The driver's own way to write a value as a parameter. It has no types of its own. */
declare module 'pg/lib/utils.js' {
  export function prepareValue(value: unknown): string | Buffer | null;
}
