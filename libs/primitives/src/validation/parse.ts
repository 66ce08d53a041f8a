import { invalidRequest, isFaultCode, type FaultCode, type FaultWording, type Violation } from '@saleschannel/errors';
import type { z } from 'zod';
import { pointerOf } from './pointer.ts';
import { faults } from './wording.ts';

/** Where a value came from, so that a violation points there. */
export type Place = (path: readonly PropertyKey[]) => Pick<Violation, 'pointer' | 'parameter'>;

/** The value is a request body: a violation has a JSON pointer into it. */
export const body: Place = (path) => ({ pointer: pointerOf(path) });

/** The members of the value are parameters with these public names. Members that are not listed belong to the body. */
export const parameters =
  (names: Readonly<Record<string, string>>): Place =>
  (path) => {
    const parameter = names[String(path[0])];
    return parameter === undefined ? body(path) : { parameter };
  };

/**
 * Checks a value and returns what it is after the schema's transformations.
 * @param title what is wrong as a whole, a sentence for people
 * @throws DomainError 'invalid-request' with a violation for every fault
 */
export function parse<S extends z.ZodType>(schema: S, value: unknown, title: string, place: Place = body): z.output<S> {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  throw invalidRequest(title, violationsOf(result.error, place));
}

/** Every fault that a schema found. The error must come from a parse with `reportInput`. */
export const violationsOf = (error: z.ZodError, place: Place = body): Violation[] =>
  error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({ ...place([...issue.path, key]), ...faults.unknownMember() }))
      : [{ ...place(issue.path), ...wordingOf(issue) }],
  );

/** What a check of our own reports: `context.issues.push(fault(faults.maxLength(200), value))`. */
export const fault = (wording: FaultWording, input: unknown): z.core.$ZodRawIssue => ({
  code: 'custom',
  message: wording.detail,
  params: { code: wording.code },
  input,
});

function wordingOf(issue: z.core.$ZodIssue): FaultWording {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? faults.required() : faults.type(issue.expected);
    case 'invalid_value':
      return issue.input === undefined ? faults.required() : faults.enum(issue.values);
    case 'invalid_union':
      return issue.input === undefined ? faults.required() : { code: 'type', detail: issue.message };
    case 'invalid_format':
      return faults.pattern(issue.message);
    case 'too_small':
      if (issue.origin === 'array') return faults.minItems(Number(issue.minimum));
      return issue.origin === 'string' ? faults.minLength(Number(issue.minimum)) : faults.minimum(issue.minimum);
    case 'too_big':
      if (issue.origin === 'array') return faults.maxItems(Number(issue.maximum));
      return issue.origin === 'string' ? faults.maxLength(Number(issue.maximum)) : faults.maximum(issue.maximum);
    case 'custom':
      return { code: codeOf(issue.params), detail: issue.message };
    default:
      return { code: 'invalid', detail: issue.message };
  }
}

const codeOf = (params: Record<string, unknown> | undefined): FaultCode =>
  isFaultCode(params?.['code']) ? params['code'] : 'invalid';
