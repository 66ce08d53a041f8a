export interface Names {
  /** `carbon-prices` */
  readonly name: string;
  /** `CarbonPrices` */
  readonly pascal: string;
  /** `carbonPrices` */
  readonly camel: string;
  /** `carbon_prices` */
  readonly snake: string;
  /** Timestamp of its first migration, such as `20260314150000`. */
  readonly timestamp: string;
}

const NAME = /^[a-z][a-z0-9]*(-[a-z][a-z0-9]*)*$/;
/** The name becomes part of a database role and of queue names. */
const NAME_LENGTH_AT_MOST = 24;

/** @throws Error if the name is not valid */
export function deriveNames(name: string, now: Date): Names {
  if (!NAME.test(name) || name.length > NAME_LENGTH_AT_MOST) {
    throw new Error(
      `"${name}" is not a valid name: use up to 24 lower-case letters and digits, with "-" between words`,
    );
  }
  const pascal = name.replaceAll(/(^|-)([a-z])/g, (_all, _dash, letter: string) => letter.toUpperCase());
  return {
    name,
    pascal,
    camel: pascal.charAt(0).toLowerCase() + pascal.slice(1),
    snake: name.replaceAll('-', '_'),
    timestamp: now.toISOString().replaceAll(/\D/g, '').slice(0, 14),
  };
}

export const fillTemplate = (text: string, { name, pascal, camel, snake, timestamp }: Names): string =>
  text
    .replaceAll('__name__', name)
    .replaceAll('__Name__', pascal)
    .replaceAll('__camel__', camel)
    .replaceAll('__snake__', snake)
    .replaceAll('__timestamp__', timestamp);
