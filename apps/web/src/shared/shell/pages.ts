import type { ComponentType } from 'react';

/** Parameters in the address of a page: `/channel/transactions/:id` has `id`. */
export type Parameters = Readonly<Record<string, string | undefined>>;

export interface PageProps {
  readonly parameters: Parameters;
}

/**
 * A page of an application.
 * @typeParam Person data of the signed-in user
 */
export interface PageEntry<Person> {
  /** Address of words and `:parameters`. The server answers exactly these paths. */
  readonly path: string;
  /** Loads the page's code on demand. */
  load(): Promise<{ default: ComponentType<PageProps> }>;
  /** Navigation entry to highlight, if the address does not begin with it. */
  readonly within?: string;
  /** Navigation entry. Undefined if only other pages link to it. */
  readonly navigation?: {
    readonly group: string;
    readonly label: string;
    /** Whether the page is useful to the user. The API enforces permissions. */
    isFor(person: Person): boolean;
  };
}

/** Page at an address, if any. */
export const findPage = <P extends { readonly path: string }>(pages: readonly P[], address: string): P | undefined =>
  pages.find(({ path }) => new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}/?$`).test(address));
