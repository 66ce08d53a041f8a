import { expect, test } from '@jest/globals';
import { Metadata, status, type ServiceError } from '@grpc/grpc-js';
import { DomainError } from '@saleschannel/errors';
import { decodeError, encodeError } from '../src/index.ts';

const received = (code: status, details: string, metadata = new Metadata()): ServiceError =>
  Object.assign(new Error(details), { code, details, metadata });

test('an error crosses the wire whole', () => {
  const violations = [{ pointer: '#/assets/0/start', code: 'bundle-start', detail: 'no bundle starts here' }] as const;
  const {
    code,
    details = '',
    metadata,
  } = encodeError(
    new DomainError('request-refused', 'The selections cannot be carried out.', {
      violations: [...violations],
      retryAfterSeconds: 3,
    }),
  );
  expect(decodeError(received(code, details, metadata ?? new Metadata()))).toMatchObject({
    code: 'request-refused',
    message: 'The selections cannot be carried out.',
    violations,
    retryAfterSeconds: 3,
  });
});

test('an unexpected error tells the caller nothing', () => {
  const { code, details = '', metadata } = encodeError(new Error('select * from secret'));
  const decoded = decodeError(received(code, details, metadata ?? new Metadata()));
  expect(decoded.code).toBe('internal');
  expect(`${decoded.message}${details}`).not.toContain('secret');
});

test.each([
  [status.UNAVAILABLE, 'Connection dropped'],
  [status.DEADLINE_EXCEEDED, 'Deadline exceeded'],
  [status.CANCELLED, 'Call cancelled'],
  [status.INTERNAL, 'Received RST_STREAM with code 2 triggered by internal client error: write EPIPE'],
  [status.INTERNAL, 'Received RST_STREAM with code 2 (Internal server error)'],
])('a call that ended without an answer (%s, %s) can be repeated later', (code, details) => {
  expect(decodeError(received(code, details))).toMatchObject({ code: 'unavailable', retryAfterSeconds: 2 });
});

test('an answer that cannot be read is a failure', () => {
  expect(decodeError(received(status.INTERNAL, 'Failed to deserialize'))).toMatchObject({ code: 'internal' });
});
