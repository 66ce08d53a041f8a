import { expect, test } from '@jest/globals';
import { judge } from '../src/checks/check.ts';
import {
  asset,
  attempt,
  findFindings,
  first,
  createCorrectRun,
  request,
  noFaults,
  type List,
  type Run,
} from './support/correct-run.ts';

const seenBy = ({ entries }: Run, follower: string) =>
  entries.filter((entry) => entry.type === 'seen' && entry.follower === follower);
const drop = ({ entries }: Run, entry: unknown): void => void entries.splice(entries.indexOf(entry as never), 1);
const firstChannel = ({ answers }: Run) => first(answers.channels);

/** Adds a transaction without a request, with everything that belongs to one. */
function move(run: Run, id: string): void {
  const extra = { type: 'TRADE', sellerId: 't2', buyerId: 't1', status: 'SUCCESS', assets: [asset(1, 10)] };
  const channel = firstChannel(run);
  channel.transactions.push({ id, ...structuredClone(extra) });
  run.answers.transactions.push({ transactionId: id, salesChannelId: 'c1', ...structuredClone(extra) });
  const event = {
    id: `e-${id}`,
    createdAt: '2026-01-01T00:01:00.000Z',
    payload: { transactionId: id, status: 'SUCCESS' },
  };
  channel.events.push(event);
  for (const follower of ['poll', 'stream', 'webhook'] as const)
    run.entries.push({ type: 'seen', at: 950, follower, channel: 'c1', event: event.id, ...event.payload });
  first(run.answers.certificates).ownerId = 't1';
  channel.inventories.set('t1', [asset(1, 10), asset(26, 100)]);
  channel.inventories.set('t2', []);
}

test('a correct run has no findings', () => {
  const { operations, errorsByKind, ...verdict } = judge(
    createCorrectRun().entries,
    createCorrectRun().answers,
    noFaults,
  );
  expect(operations).toEqual({ import: 1, offramp: 1, 'refused trade': 1, retire: 1, trade: 2 });
  expect(errorsByKind).toEqual({});
  expect(verdict).toMatchObject({ lost: [], doubled: [], reordered: [], missed: [], wrong: [], recoveries: [] });
});

test.each<[string, List, string, (run: Run) => void]>([
  [
    'an accepted trade without a task',
    'lost',
    'has no task',
    (run) => {
      firstChannel(run).tasks = firstChannel(run).tasks.filter(({ taskId }) => taskId !== 'k5');
    },
  ],
  [
    'a task without an end',
    'lost',
    'never ended',
    (run) => {
      firstChannel(run).tasks[3] = { taskId: 'k5', status: 'PENDING', idempotencyKey: 'key5', responsePayload: {} };
      run.entries.splice(
        run.entries.findIndex((entry) => entry.type === 'end' && entry.request === 5),
        1,
      );
    },
  ],
  [
    'a request with an unknown outcome',
    'lost',
    'remained unknown',
    (run) => {
      run.entries.push(request(7, 'trade'), attempt(7, 503));
    },
  ],
  [
    'an end that is not in the log',
    'lost',
    'x2 is not in the log',
    (run) => {
      firstChannel(run).events.splice(1, 1);
      run.entries.splice(0, run.entries.length, ...run.entries.filter((e) => e.type !== 'seen' || e.event !== 'e2'));
      for (const entry of seenBy(run, 'webhook'))
        if (entry.type === 'seen' && entry.event === 'e3') entry.previous = 'e1';
    },
  ],
  [
    'an import with unapplied lines',
    'lost',
    '0 of 1 lines',
    (run) => {
      for (const entry of run.entries) if (entry.type === 'end' && entry.request === 6) entry.linesApplied = 0;
    },
  ],
  [
    'a retirement without a statement',
    'lost',
    'has no statement',
    (run) => {
      run.answers.statements.set('x2', undefined);
    },
  ],
  [
    'an accepted trader that does not exist',
    'lost',
    'b7 does not exist',
    (run) => {
      run.entries.push(
        request(7, 'create trader', { path: '/traders', body: { businessId: 'b7' } }),
        attempt(7, 201, { id: 't7' }),
      );
    },
  ],
  [
    'two tasks of one request',
    'doubled',
    'has 2 tasks',
    (run) => {
      firstChannel(run).tasks.push({ taskId: 'k9', status: 'FAILED', idempotencyKey: 'key5', responsePayload: {} });
    },
  ],
  [
    'a transaction of two tasks',
    'doubled',
    'x1 belongs to 2 tasks',
    (run) => {
      Object.assign(firstChannel(run).tasks[3] ?? {}, { status: 'SUCCESS', responsePayload: { id: 'x1' } });
      const [one] = run.entries.filter((entry) => entry.type === 'request' && entry.id === 1);
      for (const entry of run.entries) {
        if (entry.type === 'request' && entry.id === 5 && one?.type === 'request') entry.body = one.body;
        if (entry.type === 'end' && entry.request === 5) Object.assign(entry, { status: 'SUCCESS', id: 'x1' });
      }
    },
  ],
  [
    'two ends of one task',
    'doubled',
    'ended FAILED',
    (run) => {
      for (const entry of run.entries) if (entry.type === 'end' && entry.request === 1) entry.status = 'FAILED';
    },
  ],
  [
    'two events of one end',
    'doubled',
    'x3 is in the log 2 times',
    (run) => {
      const event = {
        ...structuredClone(firstChannel(run).events[2]),
        id: 'e9',
        createdAt: '2026-01-01T00:00:09.000Z',
      };
      firstChannel(run).events.push(event as never);
      for (const follower of ['poll', 'stream', 'webhook'] as const)
        run.entries.push({
          type: 'seen',
          at: 950,
          follower,
          channel: 'c1',
          event: 'e9',
          transactionId: 'x3',
          status: 'SUCCESS',
        });
    },
  ],
  [
    'a repeated key with another result',
    'doubled',
    'made k1 and k9',
    (run) => {
      run.entries.push(attempt(1, 201, { taskId: 'k9' }, 190));
    },
  ],
  [
    'an accepted key that is then rejected',
    'doubled',
    'then answered 400',
    (run) => {
      run.entries.push(attempt(1, 400, undefined, 190));
    },
  ],
  [
    'a duplicate issuance',
    'doubled',
    'issuance i1 exists 2 times',
    (run) => {
      run.answers.transactions.push({ ...structuredClone(first(run.answers.transactions)), status: 'FAILED' });
    },
  ],
  [
    'an event that a stream sent twice',
    'doubled',
    'stream of c1 saw repeatedly 1 event',
    (run) => {
      run.entries.push(structuredClone(first(seenBy(run, 'stream'))));
    },
  ],
  [
    'an event that a webhook sent out of order',
    'reordered',
    'webhook of c1 saw e2 where the log has e1',
    (run) => {
      const [one, two] = seenBy(run, 'webhook');
      const index = run.entries.indexOf(one as never);
      run.entries.splice(index, 2, two as never, one as never);
    },
  ],
  [
    'an event that a stream sent out of order',
    'reordered',
    'stream of c1 saw e3 where the log has e2',
    (run) => {
      const [, two, three] = seenBy(run, 'stream');
      run.entries.splice(run.entries.indexOf(two as never), 2, three as never, two as never);
    },
  ],
  [
    'a log that is not in order of time',
    'reordered',
    'which is not older',
    (run) => {
      const [, event] = firstChannel(run).events;
      if (event) event.createdAt = '2026-01-01T00:00:00.000Z';
    },
  ],
  ...(['poll', 'stream', 'webhook'] as const).map((follower): [string, List, string, (run: Run) => void] => [
    `an event that only ${follower} missed`,
    'missed',
    `The ${follower} of c1 missed 1 event, such as e2`,
    (run) => drop(run, seenBy(run, follower)[1]),
  ]),
  [
    'an event that is not in the log',
    'wrong',
    'saw events that are not in the log',
    (run) => {
      run.entries.push({
        type: 'seen',
        at: 950,
        follower: 'poll',
        channel: 'c1',
        event: 'e9',
        transactionId: 'x1',
        status: 'SUCCESS',
      });
    },
  ],
  [
    'a message with a wrong preceding event',
    'wrong',
    'as the event before e3',
    (run) => {
      const [, , third] = seenBy(run, 'webhook');
      if (third?.type === 'seen') third.previous = 'e1';
    },
  ],
  [
    'a message without a valid signature',
    'wrong',
    '1 messages to the webhook',
    (run) => {
      run.entries.push({ type: 'unsigned', at: 950, channel: 'c1' });
    },
  ],
  [
    'a rejected trade with a task',
    'wrong',
    'was rejected, but has task k4',
    (run) => {
      firstChannel(run).tasks.push({ taskId: 'k4', status: 'FAILED', idempotencyKey: 'key4', responsePayload: {} });
    },
  ],
  [
    'a transfer rejected after an unanswered attempt, which never ends',
    'lost',
    'never ended',
    (run) => {
      run.entries.push(request(7, 'trade'), attempt(7, undefined), attempt(7, 400));
      const pending = { status: 'PENDING', idempotencyKey: 'key7', responsePayload: {} };
      firstChannel(run).tasks.push({ taskId: 'k7', ...pending });
    },
  ],
  ['a transaction without a request', 'wrong', 'x9 belongs to no task', (run) => move(run, 'x9')],
  [
    'a trade of other certificates',
    'wrong',
    'requested other certificates',
    (run) => {
      for (const entry of run.entries)
        if (entry.type === 'request' && entry.id === 1) entry.body = { assets: [asset(1, 9)], buyerId: 't2' };
    },
  ],
  [
    'a task with another status than its transaction',
    'wrong',
    'its transaction x1 is SUCCESS',
    (run) => {
      const [task] = firstChannel(run).tasks;
      if (task) task.status = 'REJECTED';
      for (const entry of run.entries) if (entry.type === 'end' && entry.request === 1) entry.status = 'REJECTED';
    },
  ],
  [
    'an answer that the contract does not allow',
    'wrong',
    'answered 403',
    (run) => {
      run.entries.push(request(7, 'read', { method: 'GET', expected: [200] }), attempt(7, 403));
    },
  ],
  [
    'a transaction without its approval',
    'wrong',
    'without the required approval',
    (run) => {
      run.entries.push({ type: 'approval', at: 190, fromMs: 50, traderId: 't1' });
    },
  ],
  ...(['t1', 't2'] as const).map((traderId): [string, List, string, (run: Run) => void] => [
    `a trade accepted while ${traderId} was suspended`,
    'wrong',
    'trade (request 1 of c1) was accepted while one of its account holders was suspended',
    (run) => run.entries.push({ type: 'suspension', at: 111, fromMs: 50, traderId }),
  ]),
  [
    'a decision without effect',
    'wrong',
    'x1 is SUCCESS',
    (run) => {
      run.entries.push(
        request(7, 'reject', { path: '/Registry/api/transactions/x1/reject', expected: [200] }),
        attempt(7, 200),
      );
    },
  ],
  [
    'an object that two sales channels see',
    'wrong',
    't2 is visible to c1 and c2',
    (run) => {
      run.answers.channels[1]?.traders.push({ id: 't2', businessId: 'b2' });
    },
  ],
  [
    'a deleted key that still works',
    'wrong',
    'Deleted key old was answered 200',
    (run) => {
      first(run.answers.deletedKeys).status = 200;
    },
  ],
  [
    'a changed statement',
    'wrong',
    'differs from its signed content',
    (run) => {
      Object.assign(run.answers.statements.get('x2') ?? {}, { volume: 11 });
    },
  ],
  [
    'a statement by an unknown key',
    'wrong',
    'an unpublished key',
    (run) => {
      run.answers.statementKeys.splice(0);
    },
  ],
])('the check finds %s', (_, list, text, damage) => {
  const run = createCorrectRun();
  damage(run);
  const found = findFindings(run);
  const none = { lost: [], doubled: [], reordered: [], missed: [], wrong: [] };
  expect(found).toEqual({ ...none, [list]: [expect.stringContaining(text)] });
});
