import { expect } from '@jest/globals';
import { parse } from 'yaml';
import type { RawAnswer } from './http.ts';
import { checkBody, checkProblem, resolve, type PublicOperation } from './public-contract.ts';

/** Checks the media type, headers and body of a response against the contract. */
export function expectContract(operation: PublicOperation, answer: RawAnswer, isHead = false): void {
  const promised = operation.raw.responses[String(answer.status)];
  if (!promised)
    throw new Error(`${operation.id} answered ${answer.status}, which its contract does not list: ${answer.text}`);
  const { headers = {}, content = {} } = resolve(promised);
  for (const [name, header] of Object.entries(headers)) {
    const isRequired = resolve(header).required === true || (name.startsWith('RateLimit') && answer.status < 400);
    if (isRequired)
      expect({ name, value: answer.headers[name.toLowerCase()] }).toEqual({ name, value: expect.any(String) });
  }
  if (Object.keys(content).length === 0) {
    expect([answer.text, answer.headers['content-type']]).toEqual(['', undefined]);
    return;
  }
  const type = String(answer.headers['content-type']).split(';')[0] ?? '';
  expect(Object.keys(content)).toContain(type);
  if (isHead) return;
  const value: unknown = /[/+]json$/.test(type)
    ? JSON.parse(answer.text)
    : type === 'application/yaml'
      ? parse(answer.text)
      : answer.text;
  const errors = checkBody(operation, String(answer.status), type, value);
  expect({ operation: operation.id, value, errors }).toEqual({ operation: operation.id, value, errors: [] });
}

/** Checks problem details, and returns them. */
export function expectProblem(
  answer: RawAnswer,
  status: number,
  code: string,
): Record<string, unknown> & { errors?: Record<string, string>[] } {
  expect(answer.headers['content-type']).toBe('application/problem+json');
  const problem = JSON.parse(answer.text) as Record<string, unknown>;
  expect(problem).toMatchObject({
    type: `/problems/${code}`,
    status,
    title: expect.any(String),
    detail: expect.any(String),
    instance: expect.any(String),
  });
  expect(answer.status).toBe(status);
  expect(problem['requestId']).toBe(answer.headers['x-request-id']);
  expect(checkProblem(problem)).toEqual([]);
  return problem;
}
