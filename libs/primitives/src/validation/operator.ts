import { z } from 'zod';
import { id } from './schemas.ts';
import { shownText } from './shown-text.ts';

const REASON_LENGTH_AT_MOST = 1_000;
const ROWS_AT_MOST = 1_000;

/** Why an operator takes something away, for the next one who reads it. */
export const reason = shownText({ min: 1, max: REASON_LENGTH_AT_MOST });

/** Which page of a list an operator asks for: the rows behind the one with the id `after`. */
export const operatorPage = z.object({ limit: z.int().min(1).max(ROWS_AT_MOST), after: id.optional() });

export type OperatorPage = z.output<typeof operatorPage>;
