import { z } from 'zod';

/** The stack did not respond within the retry time. */
export class UnreachableError extends Error {
  override name = 'UnreachableError';
}

/** Problem details of a refusal (RFC 9457). A proxy may have responded, so every member is optional. */
const problemSchema = z
  .object({
    type: z.string().optional().catch(undefined),
    title: z.string().optional().catch(undefined),
    detail: z.string().optional().catch(undefined),
    errors: z
      .array(z.object({ pointer: z.string().optional(), parameter: z.string().optional(), detail: z.string() }))
      .catch([])
      .default([]),
  })
  .catch({ errors: [] });

/** The API refused a request, or its response violates the contract. */
export class RefusedError extends Error {
  override name = 'RefusedError';
  /** Problem type. */
  readonly type: string | undefined;

  /** @param what method and path of the request */
  constructor(what: string, status: number, body: unknown) {
    const { type, title, detail, errors } = problemSchema.parse(body);
    const faults = errors.map((fault) => joinWords([fault.pointer ?? fault.parameter, fault.detail]));
    super(`${what} responded with ${status}: ${joinWords(new Set([detail ?? title, ...faults])) || 'no reason given'}`);
    this.type = type;
  }
}

const joinWords = (parts: Iterable<string | undefined>): string => [...parts].filter((part) => part).join(' ');
