import type { Violation } from '@saleschannel/errors';

/** Names and the like, in characters (Unicode code points). */
export const NAME_LENGTH_AT_MOST = 200;
/** Ids that others made. */
export const ID_LENGTH_AT_MOST = 128;
/** Of a member's name in an error, which may be anything. */
const SHOWN_NAME_LENGTH_AT_MOST = 60;

type Kind =
  | { readonly kind: 'text'; readonly min?: number; readonly max: number }
  | { readonly kind: 'flag' }
  | { readonly kind: 'integer'; readonly min: number; readonly max: number }
  | { readonly kind: 'texts'; readonly itemsAtMost: number; readonly max: number }
  | { readonly kind: 'object'; readonly fields: Fields };

/** One member of a record, as data: JSON, CSV and merge patches are all checked against it. */
export type Field = Kind & { readonly required?: true };
export type Fields = Readonly<Record<string, Field>>;

const fault = (pointer: string, code: string, detail: string): Violation => ({ pointer, code, detail });

/** A step further in a JSON pointer fragment (RFC 6901). */
export function pointerTo(parent: string, name: string | number): string {
  const shown = [...String(name)].slice(0, SHOWN_NAME_LENGTH_AT_MOST).join('');
  return `${parent}/${shown.toWellFormed().replaceAll('\0', '').replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Everything that is wrong with an object: members that nobody knows, required ones that lack, wrong types and lengths.
 * A missing optional member and null mean the same.
 */
export function faultsOf(value: unknown, fields: Fields, pointer = '#'): Violation[] {
  if (!isObject(value)) return [fault(pointer, 'type', 'It must be an object.')];
  const unknown = Object.keys(value)
    .filter((name) => !Object.hasOwn(fields, name))
    .map((name) => fault(pointerTo(pointer, name), 'unknown-member', 'There is no such member.'));
  const wrong = Object.entries(fields).flatMap(([name, field]) => {
    const member = Object.hasOwn(value, name) ? value[name] : undefined;
    if (member !== undefined && member !== null) return valueFaults(member, field, pointerTo(pointer, name));
    return field.required ? [fault(pointerTo(pointer, name), 'required', 'It is required.')] : [];
  });
  return [...unknown, ...wrong];
}

function valueFaults(value: unknown, field: Field, pointer: string): Violation[] {
  switch (field.kind) {
    case 'text':
      return textFaults(value, field.min ?? 0, field.max, pointer);
    case 'flag':
      return typeof value === 'boolean' ? [] : [fault(pointer, 'type', 'It must be true or false.')];
    case 'integer':
      if (!Number.isSafeInteger(value)) return [fault(pointer, 'type', 'It must be a whole number.')];
      return (value as number) < field.min || (value as number) > field.max
        ? [fault(pointer, 'range', `It must be between ${field.min} and ${field.max}.`)]
        : [];
    case 'texts':
      if (!Array.isArray(value)) return [fault(pointer, 'type', 'It must be a list of texts.')];
      if (value.length > field.itemsAtMost)
        return [fault(pointer, 'length', `It may have at most ${field.itemsAtMost} items.`)];
      return value.flatMap((item, index) => textFaults(item, 1, field.max, pointerTo(pointer, index)));
    case 'object':
      return faultsOf(value, field.fields, pointer);
  }
}

function textFaults(value: unknown, min: number, max: number, pointer: string): Violation[] {
  if (typeof value !== 'string') return [fault(pointer, 'type', 'It must be a text.')];
  if (value.includes('\0') || !value.isWellFormed())
    return [fault(pointer, 'characters', 'It holds a character that cannot be stored.')];
  // Most texts are short enough in any way of counting; only the others are counted by code point.
  const length = value.length <= max ? value.length : [...value].length;
  if (length < min) return [fault(pointer, 'length', 'It must not be empty.')];
  return length > max ? [fault(pointer, 'length', `It may have at most ${max} characters.`)] : [];
}
