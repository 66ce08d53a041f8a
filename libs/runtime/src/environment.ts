import { readFileSync } from 'node:fs';

/** One variable that a service reads. `secret` values may also come from the file that `<NAME>_FILE` names and are never logged. */
export interface Variable<T> {
  readonly description: string;
  readonly secret: boolean;
  readonly fallback: string | undefined;
  readonly optional: boolean;
  readonly parse: (text: string) => T;
}

export type Environment = Record<string, Variable<unknown>>;
export type Values<E extends Environment> = { readonly [K in keyof E]: E[K] extends Variable<infer T> ? T : never };

interface Options {
  default?: string;
  secret?: boolean;
}

const variable = <T>(description: string, parse: (text: string) => T, options: Options = {}): Variable<T> => ({
  description,
  parse,
  secret: options.secret ?? false,
  fallback: options.default,
  optional: false,
});

const parseInteger =
  (min: number, max: number) =>
  (text: string): number => {
    const value = Number(text);
    if (!/^-?\d+$/.test(text) || value < min || value > max)
      throw new Error(`must be a whole number from ${min} to ${max}`);
    return value;
  };

const parseUrl =
  (protocols: string[]) =>
  (text: string): string => {
    const url = URL.parse(text);
    if (!url || !protocols.includes(url.protocol))
      throw new Error(`must be a URL that begins with ${protocols.map((p) => `${p}//`).join(' or ')}`);
    return text;
  };

/** Builders of variables: what a service reads is declared once, as data, so that deployments can be checked against it. */
export const env = {
  text: (description: string, options?: Options) => variable(description, (text) => text, options),
  integer: (description: string, options: Options & { min?: number; max?: number } = {}) =>
    variable(description, parseInteger(options.min ?? 0, options.max ?? Number.MAX_SAFE_INTEGER), options),
  port: (description: string, options?: Options) => variable(description, parseInteger(0, 65_535), options),
  url: (description: string, options?: Options & { protocols?: string[] }) =>
    variable(description, parseUrl(options?.protocols ?? ['http:', 'https:']), options),
  flag: (description: string, options?: Options) =>
    variable(
      description,
      (text) => {
        if (text !== 'true' && text !== 'false') throw new Error('must be true or false');
        return text === 'true';
      },
      options,
    ),
  oneOf: <const T extends string>(description: string, values: readonly T[], options?: Options) =>
    variable(
      description,
      (text): T => {
        const found = values.find((value) => value === text);
        if (found === undefined) throw new Error(`must be one of ${values.join(', ')}`);
        return found;
      },
      options,
    ),
  list: (description: string, options?: Options) =>
    variable(
      description,
      (text) =>
        text
          .split(',')
          .map((item) => item.trim())
          .filter((item) => item !== ''),
      options,
    ),
  json: <T>(description: string, parse: (value: unknown) => T, options?: Options) =>
    variable(description, (text) => parse(JSON.parse(text)), options),
  /** Makes a variable optional: unset or empty reads as undefined. */
  optional: <T>(inner: Variable<T>): Variable<T | undefined> => ({ ...inner, optional: true }),
};

export class EnvironmentError extends Error {
  override name = 'EnvironmentError';
}

function readOne(name: string, variable: Variable<unknown>, source: NodeJS.ProcessEnv): unknown {
  const file = variable.secret ? source[`${name}_FILE`] : undefined;
  const text = source[name] || (file ? readFileSync(file, 'utf8').trim() : undefined) || variable.fallback;
  if (text === undefined) {
    if (variable.optional) return undefined;
    throw new Error(`is not set (${variable.description})`);
  }
  return variable.parse(text);
}

/**
 * Reads all variables at once and names every fault in one error, so that a deployment is mended in one go.
 * @throws EnvironmentError
 */
export function readEnvironment<E extends Environment>(
  environment: E,
  source: NodeJS.ProcessEnv = process.env,
): Values<E> {
  const faults: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, variable] of Object.entries(environment)) {
    try {
      values[name] = readOne(name, variable, source);
    } catch (error) {
      faults.push(`${name} ${(error as Error).message}`);
    }
  }
  if (faults.length > 0) throw new EnvironmentError(`The environment is not right:\n  ${faults.join('\n  ')}`);
  return values as Values<E>;
}
