import { NAME_LENGTH_AT_MOST, text } from '@saleschannel/validation';
import { z } from 'zod';

export interface SalesChannel {
  readonly id: string;
  readonly name: string;
}

/** What a new sales channel is made of. Its name shows something in every list. */
export const newSalesChannel = z.object({
  name: text({ min: 1, max: NAME_LENGTH_AT_MOST }).regex(/\S/, { error: 'must not be blank' }),
});
