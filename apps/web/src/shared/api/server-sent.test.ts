import { expect, test } from '@jest/globals';
import { ServerSentParser } from './server-sent.ts';

const STREAM =
  'retry: 2000\n\nid: 0\n: open\n\nid: e1\nevent: TRANSACTION_STATUS_CHANGE\ndata: {"a":\ndata: 1}\n\n: alive\n\nid: e2\ndata:x\n\n';
const MESSAGES = [
  { event: 'TRANSACTION_STATUS_CHANGE', data: '{"a":\n1}' },
  { event: 'message', data: 'x' },
];

test.each([1, 2, 7, 1_000])('a stream in pieces of %d characters', (size) => {
  const parser = new ServerSentParser();
  const messages = [];
  for (let at = 0; at < STREAM.length; at += size) messages.push(...parser.push(STREAM.slice(at, at + size)));
  expect(messages).toEqual(MESSAGES);
  expect([parser.lastId, parser.retryMs]).toEqual(['e2', 2_000]);
});

test.each([1, 2, 1_000])('lines that end by CRLF, in pieces of %d characters', (size) => {
  const text = STREAM.replaceAll('\n', '\r\n');
  const parser = new ServerSentParser();
  const messages = [];
  for (let at = 0; at < text.length; at += size) messages.push(...parser.push(text.slice(at, at + size)));
  expect(messages).toEqual(MESSAGES);
});

test('a place without an event is a place to go on from, and half a message is none', () => {
  const parser = new ServerSentParser();
  expect(parser.push('id: 0\n: open\n\nid: e1\ndata: half')).toEqual([]);
  expect(parser.lastId).toBe('0');
});
