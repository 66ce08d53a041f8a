import type { SentTo } from '@saleschannel/grpc';
import type { RequestContext } from '../http/request-context.ts';

/** Converts parameters of the public API to members of service requests. */

/** Timeout of calls for whole lists, long enough for slow clients. */
export const LIST_TIMEOUT_MS = 120_000;

type PresentMembers<T> = {
  [Name in keyof T as null extends T[Name] ? never : undefined extends T[Name] ? never : Name]: T[Name];
} & { [Name in keyof T]?: Exclude<T[Name], null | undefined> };

/** Removes null members, which mean the same as missing members in the registry API. */
export const withoutNulls = <T extends object>(members: T): PresentMembers<T> =>
  Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== null && value !== undefined),
  ) as PresentMembers<T>;

export interface RegistryPage {
  readonly limit: number;
  readonly offset: number;
  readonly after?: string;
}

export const toPage = ({ limit, offset, after }: RegistryPage) => ({
  page: after === undefined ? { limit, offset } : { limit, offset, after },
});

/** Page parameters of the sales channel API. Without any of them the response is the whole list. */
export interface ChannelPage {
  readonly $limit?: number;
  readonly $offset?: number;
  readonly $after?: string;
}

const CHANNEL_PAGE_SIZE = 100;

/** Returns undefined for the whole list. @param isPaged another parameter requires a page */
export function toChannelPage({ $limit, $offset, $after }: ChannelPage, isPaged = false) {
  if (!isPaged && $limit === undefined && $offset === undefined && $after === undefined) return undefined;
  const page = { limit: $limit ?? CHANNEL_PAGE_SIZE, offset: $offset ?? 0 };
  return $after === undefined ? page : { ...page, after: $after };
}

/** Returns the page of a list that always has pages. */
export const toRequiredPage = (parameters: ChannelPage) =>
  toChannelPage(parameters) ?? { limit: CHANNEL_PAGE_SIZE, offset: 0 };

/** Returns the order of a list. By the contract, `$orderBy` has at most one member. */
export function toListOrder($orderBy: Readonly<Record<string, 'asc' | 'desc' | undefined>> | undefined) {
  const [first] = Object.entries($orderBy ?? {});
  return first && { order: { by: first[0], descending: first[1] === 'desc' } };
}

interface NotesFilter {
  readonly externalReference?: { readonly eq?: string };
  readonly metadata?: Readonly<Record<string, { readonly eq: string }>>;
}

export const toNotesFilter = ({ externalReference, metadata }: NotesFilter) => ({
  externalReference: externalReference?.eq,
  metadata: metadata && Object.fromEntries(Object.entries(metadata).map(([name, { eq }]) => [name, eq])),
});

export type Format = NonNullable<SentTo<'inventory.ListInventory'>['format']>;

export const toFormat = ({ isCsvPreferred }: RequestContext): { format?: Format } =>
  isCsvPreferred ? { format: 'LIST_FORMAT_CSV' } : {};

export const toExpand = <Name extends string>(names: readonly Name[] | undefined): { expand?: Name[] } =>
  names === undefined ? {} : { expand: [...names] };
