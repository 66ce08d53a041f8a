/**
 * Whether this is `npm run test:more`, which takes all of what `npm test` takes examples of. A file that asks is run
 * there by a `*.more.test.ts` beside it, which imports it.
 */
export const isMore = process.env['TESTS'] === 'more';

/** So many in `npm run test:more`, and a few in `npm test`. */
export const manyOrFew = (many: number, few: number): number => (isMore ? many : few);
