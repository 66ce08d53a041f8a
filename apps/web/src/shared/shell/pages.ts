import type { ComponentType } from 'react';

/** What the address of a page holds: `/channel/transactions/:id` has `id`. */
export type Parameters = Readonly<Record<string, string | undefined>>;

export interface PageProps {
  readonly parameters: Parameters;
}

/**
 * One page of an application.
 * @typeParam Person what is known of who is signed in
 */
export interface PageEntry<Person> {
  /** Its address: words and `:parameters`. The server answers exactly these with the page. */
  readonly path: string;
  /** Its folder, loaded when it is asked for. */
  load(): Promise<{ default: ComponentType<PageProps> }>;
  /** The page of the navigation that leads to it, where its own address does not begin so. */
  readonly within?: string;
  /** Where it stands in the navigation. Undefined: other pages lead to it. */
  readonly navigation?: {
    readonly group: string;
    readonly label: string;
    /** Who has any use for it. What they may do is decided by the API. */
    isFor(person: Person): boolean;
  };
}

/** The page at an address. Undefined: there is none. */
export const pageAt = <P extends { readonly path: string }>(pages: readonly P[], address: string): P | undefined =>
  pages.find(({ path }) => new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}/?$`).test(address));
