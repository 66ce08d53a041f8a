import type { Schemas } from '../../../shared/api/client.ts';

export const addressFields = ['street1', 'street2', 'postalCode', 'city', 'country'] as const;
type Field = (typeof addressFields)[number];

/** Where the API points at. */
export const pointers: readonly string[] = addressFields.map((name) => `/address/${name}`);

/** What a form changes of an address. Only the second line can be removed: emptied others stay as they are. */
export function changesOf(
  valueOf: (name: Field) => string | undefined,
  before: Schemas['AccountHolderAddress'],
): Schemas['AccountHolderAddressPatch'] {
  const changed: Partial<Record<Field, string | null>> = {};
  for (const name of addressFields) {
    const value = valueOf(name) ?? null;
    if (value !== before[name] && (value !== null || name === 'street2')) changed[name] = value;
  }
  return changed as Schemas['AccountHolderAddressPatch'];
}
