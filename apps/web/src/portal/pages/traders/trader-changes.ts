import type { Schemas } from '../../../shared/api/client.ts';
import { textOf } from '../../../shared/ui/form-text.ts';

/** Members of a trader's address, as forms and the contract name them. */
export const addressFields = ['street', 'zipCode', 'city', 'poBox', 'countryName'] as const;

/** Where the API points at in a trader. */
export const pointers: readonly string[] = ['/name', '/businessId', ...addressFields.map((name) => `/address/${name}`)];

/** A new trader, as the form has it. */
export function traderOf(form: FormData): Schemas['TraderCreate'] {
  const address: Record<string, string> = {};
  for (const name of addressFields) {
    const value = textOf(form, name);
    if (value !== undefined) address[name] = value;
  }
  return { name: String(form.get('name')).trim(), businessId: String(form.get('businessId')).trim(), address };
}

/** What the form changes of a trader: an emptied text is removed. */
export function changesOf(form: FormData, before: Schemas['Trader']): Schemas['TraderPatch'] {
  const { name, businessId, address } = traderOf(form);
  const changed: Record<string, string | null> = {};
  for (const field of addressFields) {
    const value = address[field];
    if (value !== before.address[field]) changed[field] = value ?? null;
  }
  return {
    ...(name === before.name ? {} : { name }),
    ...(businessId === before.businessId ? {} : { businessId }),
    ...(Object.keys(changed).length === 0 ? {} : { address: changed }),
  };
}
