import { expect, test } from '@jest/globals';
import { defaultCreditTypeId } from './records.ts';

test.each([
  ['CORC100+', 'CORC100_PLUS'],
  ['CORC_100', 'CORC_100'],
  ['corc 20 +', 'CORC_20_PLUS'],
  ['A+B', 'A_PLUS_B'],
  ['CO₂ – removal', 'CO_REMOVAL'],
  ['+', 'PLUS'],
  ['₂', ''],
])('%j → %j', (creditType, id) => expect(defaultCreditTypeId(creditType)).toBe(id));
