import { Writable } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { createLogger, secretNames } from '../src/index.ts';

function captureLine(log: (logger: ReturnType<typeof createLogger>) => void): string {
  const lines: string[] = [];
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  log(createLogger('test', 'info', destination));
  expect(lines).toHaveLength(1);
  return lines.join('');
}

const SECRET = 'scs_key_do-not-log-me';

describe.each([...secretNames])('a secret under the name %s', (name) => {
  test.each([
    ['by itself', { [name]: SECRET }],
    ['in an object', { request: { [name]: SECRET } }],
    ['in a list', { keys: [{ [name]: SECRET }] }],
    ['in the headers of a request of an object', { call: { request: { headers: { [name]: SECRET } } } }],
    ['in an error', { err: Object.assign(new Error('failed'), { [name]: SECRET }) }],
  ])('is not logged %s', (_where, object) => {
    const line = captureLine((logger) => logger.info(object, 'a message'));
    expect(line).not.toContain(SECRET);
    expect(line).toContain('[secret]');
  });
});

test('a password in a quoted URL is not logged', () => {
  const url = `amqp://tasks:${SECRET}@127.0.0.1:5672/saleschannel`;
  const line = captureLine((logger) => logger.error({ err: new Error(`cannot reach ${url}`), url }, `lost ${url}`));
  expect(line).not.toContain(SECRET);
  expect(line).toContain('amqp://tasks:[secret]@127.0.0.1:5672/saleschannel');
});

test('an error is logged without instances that its library attached', () => {
  class Metadata {
    readonly #entries = new Map([['authorization', SECRET]]);
    toJSON = function (this: Metadata) {
      return [...this.#entries];
    };
  }
  const fault = Object.assign(new Error('14 UNAVAILABLE: No connection'), { code: 14, metadata: new Metadata() });
  const err = Object.assign(new Error('outer', { cause: fault }), { metadata: new Metadata(), violations: [{ a: 1 }] });
  for (const [error, says] of [
    [fault, { message: '14 UNAVAILABLE: No connection', code: 14 }],
    [err, { message: 'outer: 14 UNAVAILABLE: No connection', violations: [{ a: 1 }] }],
  ] as const) {
    const line = captureLine((logger) => logger.warn({ err: error }, 'a message'));
    expect(JSON.parse(line)).toMatchObject({ err: says });
    expect(line).not.toContain(SECRET);
  }
});

test('redaction takes linear time for a long word', () => {
  // Quadratic time would be minutes.
  const word = 'x'.repeat(1_000_000);
  expect(captureLine((logger) => logger.info({ word }, 'a message'))).toContain(word);
});

test('other members are logged', () => {
  const line = captureLine((logger) => logger.info({ taskId: 'c1', address: '127.0.0.1:8080', keyId: 'k' }, 'ready'));
  expect(JSON.parse(line)).toMatchObject({
    level: 'info',
    service: 'test',
    taskId: 'c1',
    address: '127.0.0.1:8080',
    keyId: 'k',
    msg: 'ready',
  });
});
