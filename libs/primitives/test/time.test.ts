import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { formatInstant, addCalendarYear, parseInstant, systemClock, type Instant } from '../src/index.ts';
import { bound, toTimeRange } from '../src/validation/schemas.ts';

const at = (text: string): Instant => bound.parse(text);
const ms = (text: string): number => Date.parse(text);

// time.test.ts tests all forms of a date-time.
test.each([
  ['2025-03-04T10:02:12.049Z', '2025-03-04T10:02:12.049Z', true],
  ['2025-03-04T10:02:12Z', '2025-03-04T10:02:12.000Z', true],
  ['2025-03-04T12:02:12.049+02:00', '2025-03-04T10:02:12.049Z', true],
  ['2025-03-04T04:32:12.049-05:30', '2025-03-04T10:02:12.049Z', true],
  ['2025-03-04T10:02:12.049000000Z', '2025-03-04T10:02:12.049Z', true],
  ['2025-03-04T10:02:12.049000001Z', '2025-03-04T10:02:12.049Z', false],
  ['2025-03-04T10:02:12.049999999Z', '2025-03-04T10:02:12.049Z', false],
  ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z', true],
])('parses %s exactly', (text, floor, isWhole) => {
  expect(at(text)).toEqual({ floorMs: ms(floor), isWhole });
});

test.each([
  '',
  'yesterday',
  '2025-03-04',
  '2025-03-04T10:02:12',
  '2025-03-04 10:02:12Z',
  '2025-03-04t10:02:12.5z',
  '2025-02-29T00:00:00Z',
  '2025-13-01T00:00:00Z',
  '2025-00-01T00:00:00Z',
  '2025-04-31T00:00:00Z',
  '2025-03-04T24:00:00Z',
  '2025-03-04T10:60:00Z',
  '2025-03-04T10:02:61Z',
  '2025-03-04T10:02:60Z',
  '2016-12-31T23:59:60Z',
  '2017-01-01T01:59:60+02:00',
  '2025-03-04T10:02:12.Z',
  '2025-03-04T10:02:12.0490000001Z',
  '2025-03-04T10:02:12+24:00',
  '2025-03-04T10:02:12+02',
  '2025-03-04T10:02:12+0200',
  '+2025-03-04T10:02:12Z',
  '2025-03-04T10:02:12Z ',
  "2025-03-04T10:02:12Z'--",
  '2025-3-4T10:02:12Z',
  'infinity',
  'now',
  '٢025-03-04T10:02:12Z',
])('rejects %p', (text) => {
  expect(bound.safeParse(text).error?.issues).toMatchObject([{ code: 'custom', params: { code: 'format' } }]);
});

const whole = '2025-03-04T10:02:12.049Z';
const between = '2025-03-04T10:02:12.0495Z';

test.each([
  ['gt', whole, 50, undefined],
  ['gte', whole, 49, undefined],
  ['lt', whole, undefined, 48],
  ['lte', whole, undefined, 49],
  ['gt', between, 50, undefined],
  ['gte', between, 50, undefined],
  ['lt', between, undefined, 49],
  ['lte', between, undefined, 49],
] as const)('%s %s', (operator, text, from, to) => {
  const second = ms('2025-03-04T10:02:12.000Z');
  expect(toTimeRange({ [operator]: at(text) })).toEqual({ fromMs: from && second + from, toMs: to && second + to });
});

test('applies all bounds', () => {
  const range = toTimeRange({
    gt: at('2025-01-01T00:00:00Z'),
    gte: at('2024-01-01T00:00:00Z'),
    lt: at('2026-01-01T00:00:00Z'),
    lte: at('2027-01-01T00:00:00Z'),
  });
  expect(range).toEqual({ fromMs: ms('2025-01-01T00:00:00.001Z'), toMs: ms('2025-12-31T23:59:59.999Z') });
  expect(toTimeRange({})).toEqual({ fromMs: undefined, toMs: undefined });
});

test('moves bounds beyond the range of the database and JavaScript into it', () => {
  const latest = '9999-12-31T23:59:59.999Z';
  expect(toTimeRange({ gte: at('0001-01-01T00:00:00Z'), lte: at(latest) })).toEqual({ fromMs: 0, toMs: ms(latest) });
  expect(toTimeRange({ lt: at('0001-01-01T00:00:00Z') })).toEqual({ fromMs: undefined, toMs: 0 });
  expect(toTimeRange({ gt: at(latest) })).toEqual({ fromMs: ms(latest), toMs: undefined });
});

test.each([
  ['2025-03-04T10:02:11.318Z', '2025-03-04T10:02:11.318Z', true],
  ['2025-03-04T10:02:11Z', '2025-03-04T10:02:11.000Z', true],
  ['2025-03-04T12:02:12.049+02:00', '2025-03-04T10:02:12.049Z', true],
  ['2025-03-04T04:32:12.049-05:30', '2025-03-04T10:02:12.049Z', true],
  ['2025-03-04T10:02:12.049000000Z', '2025-03-04T10:02:12.049Z', true],
  ['2025-03-04T10:02:12.049000001Z', '2025-03-04T10:02:12.049Z', false],
  ['2025-03-04T10:02:12.049999999Z', '2025-03-04T10:02:12.049Z', false],
  ['2024-02-29T23:59:59+14:00', '2024-02-29T09:59:59.000Z', true],
  ['2000-02-29T00:00:00Z', '2000-02-29T00:00:00.000Z', true],
  ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z', true],
  ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z', true],
])('parses %s exactly', (text, floor, isWhole) => {
  expect(parseInstant(text)).toEqual({ floorMs: Date.parse(floor), isWhole });
  expect(formatInstant(text)).toBe(floor);
});

test.each([
  '',
  'yesterday',
  'infinity',
  '2025-02-29T00:00:00Z',
  '1900-02-29T00:00:00Z',
  '2025-13-01T00:00:00Z',
  '2025-00-01T00:00:00Z',
  '2025-04-31T00:00:00Z',
  '2025-01-00T00:00:00Z',
  '2025-01-01T24:00:00Z',
  '2016-12-31T23:59:60Z',
  '2025-01-01T10:60:00Z',
  '2025-01-01 10:00:00Z',
  '2025-01-01t10:00:00Z',
  '2025-01-01T10:00:00z',
  '2025-01-01T10:00:00',
  '2025-01-01T10:00Z',
  '2025-01-01',
  '2025-1-1T10:00:00Z',
  '2025-01-01T10:00:00+24:00',
  '2025-01-01T10:00:00+01:60',
  '2025-01-01T10:00:00+0100',
  '2025-01-01T10:00:00.Z',
  '2025-01-01T10:00:00.1234567890Z',
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00+00:01',
  '9999-12-31T23:59:59-00:01',
  '+002025-01-01T00:00:00Z',
  '٢٠٢٥-01-01T00:00:00Z',
  '2025-01-01T00:00:00Z\n',
  "2025-03-04T10:02:12Z'--",
])('rejects %j', (text) => {
  expect(parseInstant(text)).toBeUndefined();
  expect(() => formatInstant(text)).toThrow(RangeError);
});

test('agrees with Date on every date that Date formats', () => {
  const years = { min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true };
  fc.assert(
    fc.property(fc.date(years), (date) => {
      expect(parseInstant(date.toISOString())).toEqual({ floorMs: date.getTime(), isWhole: true });
    }),
  );
});

test.each([
  ['2024-02-29T23:59:59.999Z', '2025-02-28T23:59:59.999Z'],
  ['2023-02-28T00:00:00.000Z', '2024-02-28T00:00:00.000Z'],
  ['2023-03-01T00:00:00.000Z', '2024-03-01T00:00:00.000Z'],
  ['2025-12-31T23:30:00.000Z', '2026-12-31T23:30:00.000Z'],
])('one year after %s is %s', (from, to) => {
  const date = new Date(from);
  expect(addCalendarYear(date).toISOString()).toBe(to);
  expect(date.toISOString()).toBe(from);
});

test('the system clock returns the time', () => {
  const before = Date.now();
  const now = systemClock.now().getTime();
  expect([before <= now, now <= Date.now()]).toEqual([true, true]);
});
