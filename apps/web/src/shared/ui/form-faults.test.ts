import { expect, test } from '@jest/globals';
import { describeFault, type ControlState } from './form-faults.ts';

const words = (validity: ControlState['validity'], rest: Partial<ControlState> = {}) =>
  describeFault({ label: 'Location', type: 'text', validity: { valid: false, ...validity }, ...rest });

test.each<[ControlState['validity'], Partial<ControlState>, string]>([
  [{ valueMissing: true }, {}, 'Location is required.'],
  // An empty required combobox reports both.
  [{ valueMissing: true, customError: true }, { custom: 'Choose one.' }, 'Location is required.'],
  [{ customError: true }, { custom: 'Choose one.' }, 'Choose one.'],
  [{ badInput: true, valueMissing: true }, { type: 'date' }, 'Location is not a complete date.'],
  [{ badInput: true }, { type: 'number' }, 'Location must be a number.'],
  [{ patternMismatch: true }, { format: 'A price is a number.' }, 'A price is a number.'],
  [{ patternMismatch: true }, {}, 'Location does not have the expected format.'],
  [{ typeMismatch: true }, { type: 'url' }, 'Location must be a URL that begins with https://.'],
  [{ typeMismatch: true }, { type: 'email' }, 'Location must be an email address, such as name@example.com.'],
  [{ valid: true }, { maxLength: 3, value: 'abcd' }, 'Location must have at most 3 characters. It has 4.'],
  [{ rangeUnderflow: true }, { type: 'number', min: '0' }, 'Location must be at least 0.'],
  [{ rangeOverflow: true }, { type: 'number', max: '72' }, 'Location must be at most 72.'],
  [{ rangeUnderflow: true }, { type: 'date', min: '2026-01-01' }, 'Location must not be before 2026-01-01.'],
  [{ rangeOverflow: true }, { type: 'datetime-local', max: '9999-12-31' }, 'Location must not be after 9999-12-31.'],
  [{ stepMismatch: true }, {}, 'Location is not valid.'],
])('%p with %p reads %p', (validity, rest, expected) => {
  expect(words(validity, rest)).toBe(expected);
});

test('a valid control has no message', () => {
  expect(words({ valid: true })).toBeUndefined();
  // Characters as counted by the API: 𝒂 is one, and surrounding spaces are ignored.
  expect(words({ valid: true }, { maxLength: 3, value: ' 𝒂𝒂𝒂 ' })).toBeUndefined();
});
