import { expect, test } from '@jest/globals';
import { budgetFigures, formatTable } from '../src/report/figures.ts';

test('the table shows each process with its budget; processes without one share a budget', () => {
  const cpu = { identity: 10, traders: 25, gateway: 150, tasks: 300, postgresql: 400, load: 90 };
  const table = formatTable([{ scenario: 'settle', figures: budgetFigures([cpu]) }]);
  const findLine = (name: string) => table.split('\n').find((line) => line.includes(`CPU of a trade, ${name}`));
  expect(findLine('without the load')).toMatch(/885.*≤ 1000 +reached$/);
  expect(findLine('gateway')).toMatch(/150.*≤ 200 +reached$/);
  expect(findLine('tasks')).toMatch(/300.*≤ 130 +missed$/);
  expect(findLine('all others together')).toMatch(/35.*≤ 30 +missed$/);
  for (const name of ['identity', 'traders', 'load']) expect(findLine(name)).toMatch(/µs$/);
});
