import { z } from 'zod';

/** The stack has not answered for as long as a request is repeated. */
export class Unreachable extends Error {
  override name = 'Unreachable';
}

/** What a body says of a refusal (RFC 9457). A proxy may have answered, so every member may be missing. */
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

/** The API refused a request, or answered what its contract does not have. */
export class Refused extends Error {
  override name = 'Refused';
  /** The kind of the problem, by which the API says what was wrong. */
  readonly type: string | undefined;

  /** @param what method and path of the request */
  constructor(what: string, status: number, body: unknown) {
    const { type, title, detail, errors } = problemSchema.parse(body);
    const faults = errors.map((fault) => joined([fault.pointer ?? fault.parameter, fault.detail]));
    super(`${what} answered ${status}: ${joined(new Set([detail ?? title, ...faults])) || 'without a reason'}`);
    this.type = type;
  }
}

const joined = (parts: Iterable<string | undefined>): string => [...parts].filter((part) => part).join(' ');
