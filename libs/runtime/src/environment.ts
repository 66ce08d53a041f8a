import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** Environment variable of a service. A secret may also come from the file in `<NAME>_FILE`, and is never logged. */
export interface Variable<T> {
  readonly description: string;
  readonly secret: boolean;
  readonly fallback: string | undefined;
  readonly optional: boolean;
  /** Variable that services of one process share unless they have their own. */
  readonly sharedName?: string;
  /** Parses the text of the variable. */
  readonly schema: z.ZodType<T>;
}

export type Environment = Record<string, Variable<unknown>>;
export type Values<E extends Environment> = {
  readonly [K in keyof E]: E[K] extends Variable<infer T> ? T : never;
};

interface Options {
  default?: string;
  secret?: boolean;
}

const variable = <T>(description: string, schema: z.ZodType<T>, options: Options = {}): Variable<T> => ({
  description,
  schema,
  secret: options.secret ?? false,
  fallback: options.default,
  optional: false,
});

const integer = (min: number, max: number) => {
  const error = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^-?\d+$/, { error })
    .transform(Number)
    .pipe(z.int({ error }).min(min, { error }).max(max, { error }));
};

const url = (protocols: readonly string[]) => {
  const error = `must be a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`;
  return z.string().refine((text) => protocols.includes(URL.parse(text)?.protocol ?? 'none'), { error });
};

const enumeration = <const T extends string>(values: readonly T[]) =>
  z.enum(values, { error: `must be one of ${values.join(', ')}` });

const list = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
);

const json = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    context.issues.push({ code: 'custom', message: `must be JSON: ${(error as Error).message}`, input: text });
    return z.NEVER;
  }
});

/**
 * Builders of variables. Services declare their variables as data, from which deployments are generated and checked. No
 * library, because none supports secrets and files of secrets.
 */
export const env = {
  text: (description: string, options?: Options) => variable(description, z.string(), options),
  integer: (description: string, options: Options & { min?: number; max?: number } = {}) =>
    variable(description, integer(options.min ?? 0, options.max ?? Number.MAX_SAFE_INTEGER), options),
  port: (description: string, options?: Options) => variable(description, integer(0, 65_535), options),
  url: (description: string, options?: Options & { protocols?: readonly string[] }) =>
    variable(description, url(options?.protocols ?? ['http:', 'https:']), options),
  oneOf: <const T extends string>(description: string, values: readonly T[], options?: Options) =>
    variable(description, enumeration(values), options),
  list: (description: string, options?: Options) => variable(description, list, options),
  /** JSON text, checked by a schema. */
  json: <T>(description: string, schema: z.ZodType<T>, options?: Options) =>
    variable(description, json.pipe(schema), options),
  /** Text parsed by a schema. */
  parsed: <T>(description: string, schema: z.ZodType<T>, options?: Options) => variable(description, schema, options),
  /** An unset or empty variable is undefined. */
  optional: <T>(inner: Variable<T>): Variable<T | undefined> => ({ ...inner, optional: true }),
};

/** Missing or invalid variables. The message names all of them, for the operator. */
export class EnvironmentError extends Error {
  override name = 'EnvironmentError';
}

/** Returns the text of a variable. A secret may be in the file that `<NAME>_FILE` names. */
function findText(name: string, { secret }: Variable<unknown>, source: NodeJS.ProcessEnv): string | undefined {
  const file = secret ? source[`${name}_FILE`] : undefined;
  return source[name] || (file ? readFileSync(file, 'utf8').trim() : undefined) || undefined;
}

/** @throws Error with the name of the variable */
function readOne(name: string, declared: Variable<unknown>, source: NodeJS.ProcessEnv): unknown {
  const { schema, sharedName, optional, fallback, description } = declared;
  const own = findText(name, declared, source);
  const shared = own === undefined && sharedName !== undefined ? findText(sharedName, declared, source) : undefined;
  const text = own ?? shared ?? fallback;
  if (text === undefined) {
    if (optional) return undefined;
    throw new Error(`${name} is not set (${description})`);
  }
  const result = schema.safeParse(text);
  if (result.success) return result.data;
  const faults = result.error.issues.map(({ message }) => message).join(', ');
  throw new Error(`${shared === undefined ? name : sharedName} ${faults}`);
}

/**
 * Reads all variables, and reports all faults at once.
 * @throws EnvironmentError
 */
export function readEnvironment<E extends Environment>(
  environment: E,
  source: NodeJS.ProcessEnv = process.env,
): Values<E> {
  const faults = new Set<string>();
  const values: Record<string, unknown> = {};
  for (const [name, declared] of Object.entries(environment)) {
    try {
      values[name] = readOne(name, declared, source);
    } catch (error) {
      faults.add((error as Error).message);
    }
  }
  if (faults.size > 0)
    throw new EnvironmentError(`These variables are missing or invalid:\n  ${[...faults].join('\n  ')}`);
  return values as Values<E>;
}

/** Returns the name of a variable in a process of several services: `TASKS__DATABASE_URL`. */
export const toHostedVariable = (service: string, variable: string): string =>
  `${service.toUpperCase().replaceAll('-', '_')}__${variable}`;

/**
 * Returns the variables of a service in a process of several services. Variables without the name of a service are
 * shared by all services without their own.
 */
export const toHostedEnvironment = (service: string, environment: Environment): Environment =>
  Object.fromEntries(
    Object.entries(environment).map(([name, declared]) => [
      toHostedVariable(service, name),
      { ...declared, sharedName: name },
    ]),
  );

/** Returns the values of one service in a process of several services. */
export function readHostedValues(service: string, values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const prefix = toHostedVariable(service, '');
  const own = Object.entries(values).filter(([name]) => name.startsWith(prefix));
  return Object.fromEntries(own.map(([name, value]) => [name.slice(prefix.length), value]));
}
