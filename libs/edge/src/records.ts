import type { ReplyOf } from '@saleschannel/grpc';

/** Returns these members of a record, in this order. Messages of services may have further ones. */
export const pick = <T extends object, Name extends keyof T>(record: T, ...names: readonly Name[]): Pick<T, Name> =>
  Object.fromEntries(names.map((name) => [name, record[name]])) as Pick<T, Name>;

/** Returns an account holder as contracts show it. @throws Error for one without an address */
export function toAccountHolder(holder: ReplyOf<'accountHolderDirectory.EnsureAccountHolder'>) {
  const { address } = holder;
  if (!address) throw new Error('registry-import answered without the address');
  return {
    ...pick(holder, 'accountHolderId', 'name', 'businessId'),
    address: { ...pick(address, 'postalCode', 'city', 'country', 'street1'), street2: address.street2 ?? null },
    ...pick(holder, 'autoApproval', 'registeredOn', 'kind', 'status'),
  };
}

/** Returns an import as contracts show it. */
export const toImport = (found: ReplyOf<'importAdministration.GetImport'>) => ({
  ...pick(found, 'importId', 'status'),
  linesRead: Number(found.linesRead),
  linesApplied: Number(found.linesApplied),
  linesFailed: Number(found.linesFailed),
  errorsStored: Number(found.errorsStored),
  createdAt: found.createdAt,
  completedAt: found.completedAt ?? null,
});

type OptionalKeys<T> = {
  [Name in keyof T]-?: Readonly<Record<never, never>> extends Pick<T, Name> ? Name : never;
}[keyof T];

/**
 * Content with enums widened to text, since services send them as text. Services and end-to-end tests check their
 * values against the contract. JSON omits undefined members.
 */
export type AsSent<T> = T extends string
  ? string
  : T extends readonly (infer Item)[]
    ? readonly AsSent<Item>[]
    : T extends object
      ? { readonly [Name in Exclude<keyof T, OptionalKeys<T>>]: AsSent<T[Name]> } & {
          readonly [Name in OptionalKeys<T>]?: AsSent<T[Name]> | undefined;
        }
      : T;
