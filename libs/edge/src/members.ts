/** Returns these members of a record, in this order. Messages of services may have further ones. */
export const pick = <T extends object, Name extends keyof T>(record: T, ...names: readonly Name[]): Pick<T, Name> =>
  Object.fromEntries(names.map((name) => [name, record[name]])) as Pick<T, Name>;
