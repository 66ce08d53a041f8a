import { describe, expect, test } from '@jest/globals';
import { groupFaults, createNoResponseError, toApiError } from './problem.ts';

describe('an unsuccessful response', () => {
  const body = {
    type: '/problems/invalid-request',
    title: 'The request is not valid',
    status: 400,
    detail: 'The trader is not valid.',
    requestId: 'r1',
    errors: [
      { pointer: '#/address/city', detail: 'is too long', code: 'length' },
      { pointer: '#/assets/0/start', detail: 'is no certificate', code: 'format' },
      { parameter: 'Idempotency-Key', detail: 'belongs to another request', code: 'reused' },
      'nonsense',
    ],
  };

  test('separates errors of fields from other errors', () => {
    const { atFields, others } = groupFaults(toApiError(400, body, new Headers()), ['/name', '/address/city']);
    expect([...atFields]).toEqual([['/address/city', 'is too long']]);
    expect(others).toEqual(['/assets/0/start: is no certificate', 'Idempotency-Key: belongs to another request']);
  });

  test('has the retry delay and the request id', () => {
    const error = toApiError(503, { requestId: 'r2' }, new Headers({ 'Retry-After': '7' }));
    expect(error).toMatchObject({ retryAfterSeconds: 7, requestId: 'r2', isTransient: true, isSignedOut: false });
    expect(toApiError(503, {}, new Headers({ 'Retry-After': 'Wed, 21 Oct 2026' })).retryAfterSeconds).toBeUndefined();
  });

  test.each([undefined, null, 'a page of a proxy', { type: 7 }, []])('is also created from %p', (odd) => {
    expect(toApiError(502, odd, new Headers({ 'X-Request-Id': 'r3' }))).toMatchObject({
      status: 502,
      type: 'about:blank',
      requestId: 'r3',
      faults: [],
    });
  });

  test('with 401 ends the session, or requires a recent sign-in', () => {
    expect(toApiError(401, {}, new Headers())).toMatchObject({ isSignedOut: true, requiredSignIn: undefined });
    const challenge = 'Bearer error="insufficient_user_authentication", error_description="more recent", max_age="300"';
    const asked = (text: string) => toApiError(401, {}, new Headers({ 'WWW-Authenticate': text }));
    expect(asked(challenge)).toMatchObject({ isSignedOut: false, requiredSignIn: { maxAgeSeconds: 300 } });
    expect(asked(`${challenge}, acr_values="mfa phr"`).requiredSignIn).toEqual({
      maxAgeSeconds: 300,
      acrValues: 'mfa phr',
    });
    expect(asked('Bearer realm="saleschannel", error="invalid_token", max_age="300"').isSignedOut).toBe(true);
  });

  test('that was lost leaves the outcome unknown', () => {
    expect(createNoResponseError()).toMatchObject({ status: undefined, isTransient: false, isSignedOut: false });
    expect(groupFaults(new TypeError('broken'), ['/name'])).toEqual({ atFields: new Map(), others: [] });
  });
});
