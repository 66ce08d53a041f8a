import type { Breach } from './records.ts';

/**
 * The part of JSON Schema that the contracts use. openapi-differ.ts states why no npm package compares it
 * (decision 48).
 */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly deprecated?: boolean;
  readonly [keyword: string]: unknown;
}

/** Side that may be older: the reader of a response ("written"), or the writer of a request ("read"). */
export type Direction = 'written' | 'read';

/** Limits that a reader may lower but not raise. */
const lowerLimits = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'];
const upperLimits = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties', 'x-max-fraction-digits'];

const text = (value: unknown): string => JSON.stringify(value);
const wordOf = (direction: Direction): string => (direction === 'written' ? 'RESPONSE' : 'REQUEST');

/** Resolves the references of a document: JSON pointers (RFC 6901) in a fragment. */
export const finderIn =
  (document: unknown) =>
  <T>(ref: string): T =>
    ref
      .split('/')
      .slice(1)
      .reduce<unknown>((node, key) => (node as Record<string, unknown>)[key.replaceAll('~1', '/')], document) as T;

export class SchemaDiffer {
  readonly breaches: Breach[] = [];
  protected readonly old: ReturnType<typeof finderIn>;
  protected readonly new: ReturnType<typeof finderIn>;
  /** Compared pairs, because schemas may contain themselves. */
  readonly #seen = new Set<string>();

  constructor(older: unknown, newer: unknown) {
    this.old = finderIn(older);
    this.new = finderIn(newer);
  }

  protected report(element: string, rule: string, message: string): void {
    if (!this.breaches.some((each) => each.element === element && each.rule === rule && each.message === message)) {
      this.breaches.push({ element, rule, message });
    }
  }

  compare(older: Schema, newer: Schema, direction: Direction, element: string): void {
    if (older.$ref !== undefined || newer.$ref !== undefined) {
      const pair = [direction, older.$ref ?? element, newer.$ref ?? element].join(' ');
      if (this.#seen.has(pair)) return;
      this.#seen.add(pair);
    }
    const before = resolveSchema(older, this.old);
    const after = resolveSchema(newer, this.new);
    const location = older.$ref === undefined ? element : nameOf(older.$ref);
    this.#compareTypes(before, after, direction, location);
    this.#compareValues(before, after, direction, location);
    this.#compareLimits(before, after, direction, location);
    this.#compareProperties(before, after, direction, location);
    if (before.items && after.items) this.compare(before.items, after.items, direction, `${location}[]`);
    for (const [index, item] of (before.prefixItems ?? []).entries()) {
      const other = after.prefixItems?.[index];
      if (other) this.compare(item, other, direction, `${location}[${index}]`);
      else this.report(location, `${wordOf(direction)}_ITEM_REMOVED`, `Item ${index} is gone.`);
    }
    if (typeof before.additionalProperties === 'object' && typeof after.additionalProperties === 'object') {
      this.compare(before.additionalProperties, after.additionalProperties, direction, `${location}.*`);
    }
    this.#compareVariants(before, after, direction, location);
  }

  #compareTypes(before: Schema, after: Schema, direction: Direction, location: string): void {
    const [was, is] = [typesOf(before), typesOf(after)];
    // The reader must know every type that the writer may send.
    const [written, known] = direction === 'written' ? [is, was] : [was, is];
    if (known === undefined) return;
    const unknown = written === undefined ? ['any'] : written.filter((each) => !isKnown(each, known));
    if (unknown.length === 0) return;
    const difference = `It was ${was?.join(' or ') ?? 'of any type'} and is ${is?.join(' or ') ?? 'of any type'}.`;
    this.report(location, `${wordOf(direction)}_TYPE_CHANGED`, difference);
  }

  #compareValues(before: Schema, after: Schema, direction: Direction, location: string): void {
    const [was, is] = [valuesOf(before), valuesOf(after)];
    const [written, known] = direction === 'written' ? [is, was] : [was, is];
    if (known === undefined) return;
    const rule = direction === 'written' ? 'RESPONSE_ENUM_WIDENED' : 'REQUEST_ENUM_NARROWED';
    if (written === undefined) {
      const end = direction === 'written' ? 'Its values are no longer listed.' : 'Its values are listed now.';
      this.report(location, rule, end);
      return;
    }
    const unknown = written.filter((value) => !known.includes(value));
    const verb = direction === 'written' ? 'are new' : 'are gone';
    if (unknown.length > 0) this.report(location, rule, `The values ${unknown.join(', ')} ${verb}.`);
  }

  #compareLimits(before: Schema, after: Schema, direction: Direction, location: string): void {
    for (const keyword of ['format', 'pattern'] as const) {
      const [was, is] = [before[keyword], after[keyword]];
      if (was === is) continue;
      const isLoosened = direction === 'read' ? is === undefined : was === undefined;
      if (isLoosened) continue;
      this.report(
        location,
        `${wordOf(direction)}_${keyword.toUpperCase()}_CHANGED`,
        `It was ${text(was)}, is ${text(is)}.`,
      );
    }
    if (direction === 'written') return;
    for (const keyword of [...lowerLimits, ...upperLimits]) {
      const [was, is] = [before[keyword], after[keyword]] as [number | undefined, number | undefined];
      if (is === undefined || was === is) continue;
      const isTighter = was === undefined || (lowerLimits.includes(keyword) ? is > was : is < was);
      if (isTighter) this.report(location, 'REQUEST_LIMIT_TIGHTENED', `${keyword} was ${text(was)} and is ${is}.`);
    }
  }

  #compareProperties(before: Schema, after: Schema, direction: Direction, location: string): void {
    const word = wordOf(direction);
    const [was, is] = [before.properties ?? {}, after.properties ?? {}];
    const required = (schema: Schema, name: string): boolean => schema.required?.includes(name) ?? false;
    for (const [name, schema] of Object.entries(was)) {
      const element = `${location}.${name}`;
      const other = is[name];
      if (other === undefined) this.report(element, `${word}_FIELD_REMOVED`, 'The field is gone.');
      else {
        if (direction === 'written' && required(before, name) && !required(after, name)) {
          this.report(element, 'RESPONSE_FIELD_OPTIONAL', 'The field was always present, and may be missing now.');
        }
        this.compare(schema, other, direction, element);
      }
    }
    if (direction === 'written') return;
    for (const name of after.required ?? []) {
      if (!required(before, name)) {
        this.report(`${location}.${name}`, 'REQUEST_FIELD_REQUIRED', 'The field is required now.');
      }
    }
  }

  #compareVariants(before: Schema, after: Schema, direction: Direction, location: string): void {
    const [was, is] = [variantsOf(before), variantsOf(after)];
    if (was.length === 0 || is.length === 0) return;
    const [oldKeys, newKeys] = [keysOf(was, this.old), keysOf(is, this.new)];
    const [written, known] = direction === 'written' ? [newKeys, oldKeys] : [oldKeys, newKeys];
    const unknown = written.filter((key) => !known.includes(key));
    const rule = direction === 'written' ? 'RESPONSE_VARIANT_ADDED' : 'REQUEST_VARIANT_REMOVED';
    if (unknown.length > 0) this.report(location, rule, `The variants ${unknown.join(', ')}.`);
    for (const [index, key] of oldKeys.entries()) {
      const at = newKeys.indexOf(key);
      if (at >= 0) this.compare(was[index] as Schema, is[at] as Schema, direction, `${location}<${key}>`);
    }
  }
}

const nameOf = (ref: string): string => ref.split('/').at(-1) as string;

/** Follows references and merges the parts of an allOf. */
export function resolveSchema(schema: Schema, component: (ref: string) => Schema): Schema {
  if (schema.$ref !== undefined) {
    const { $ref, ...rest } = schema;
    return resolveSchema({ ...component($ref), ...rest }, component);
  }
  if (schema.allOf === undefined) return schema;
  const { allOf, ...own } = schema;
  const parts = [own as Schema, ...allOf.map((part) => resolveSchema(part, component))];
  return Object.assign({}, ...parts, {
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    required: [...new Set(parts.flatMap(({ required }) => required ?? []))],
  }) as Schema;
}

const typesOf = ({ type }: Schema): readonly string[] | undefined => (typeof type === 'string' ? [type] : type);

const isKnown = (type: string, known: readonly string[]): boolean =>
  known.includes(type) || (type === 'integer' && known.includes('number'));

const valuesOf = (schema: Schema): string[] | undefined =>
  'const' in schema ? [text(schema.const)] : schema.enum?.map(text);

const variantsOf = ({ oneOf, anyOf }: Schema): readonly Schema[] => oneOf ?? anyOf ?? [];

/** Keys of variants: their names, else a distinct member value, their type, or their index. */
function keysOf(variants: readonly Schema[], component: (ref: string) => Schema): string[] {
  const found = variants.map((variant, index) => {
    if (variant.$ref !== undefined) return nameOf(variant.$ref);
    const schema = resolveSchema(variant, component);
    const constant = Object.entries(schema.properties ?? {}).find(([, each]) => 'const' in each);
    return constant ? `${constant[0]}=${String(constant[1].const)}` : (typesOf(schema)?.join('|') ?? `#${index}`);
  });
  return new Set(found).size === found.length ? found : found.map((key, index) => `${key}#${index}`);
}

/** Deprecated members of a schema, named as in breaches. */
export function deprecatedIn(schema: Schema, location: string): string[] {
  const own = schema.deprecated ? [location] : [];
  const properties = Object.entries(schema.properties ?? {});
  const inner = properties.flatMap(([name, each]) => deprecatedIn(each, `${location}.${name}`));
  const parts = (schema.allOf ?? []).flatMap((part) => deprecatedIn(part, location));
  return [...own, ...inner, ...parts, ...(schema.items ? deprecatedIn(schema.items, `${location}[]`) : [])];
}
