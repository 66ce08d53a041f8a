import { formatDateTime } from '../../../shared/format/time.ts';

const search = (id: string): string => `/search?${new URLSearchParams({ q: id })}`;

/** Facts with a page of their own, which shows more than the search. */
const pages: Readonly<Record<string, (id: string) => string>> = {
  userId: (id) => `/users/${encodeURIComponent(id)}`,
  accountHolderId: (id) => `/holders/${encodeURIComponent(id)}`,
  salesChannelId: (id) => `/channels?${new URLSearchParams({ name: id })}`,
  businessId: (businessId) => `/holders?${new URLSearchParams({ businessId })}`,
  importId: (id) => `/imports/${encodeURIComponent(id)}`,
};

const TIME = /^\d{4}-\d{2}-\d{2}T.*Z$/;

/** Label and value of a fact for display: `registeredOn` becomes `Registered on`, and times use the common format. */
export function describeFact(name: string, value: string): readonly [name: string, value: string] {
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return [words.charAt(0).toUpperCase() + words.slice(1), TIME.test(value) ? `${formatDateTime(value)} UTC` : value];
}

/** Link of a fact: its page, or a search for ids without a page. */
export function factPath(name: string, value: string): string | undefined {
  const page = Object.hasOwn(pages, name) ? pages[name] : undefined;
  if (page) return page(value);
  return name.endsWith('Id') ? search(value) : undefined;
}
