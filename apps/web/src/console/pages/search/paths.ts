import { dateTime } from '../../../shared/format/time.ts';

const search = (id: string): string => `/search?${new URLSearchParams({ q: id })}`;

/** Facts whose pages show more than the look-up does. */
const pages: Readonly<Record<string, (id: string) => string>> = {
  userId: (id) => `/users/${encodeURIComponent(id)}`,
  accountHolderId: (id) => `/holders/${encodeURIComponent(id)}`,
  salesChannelId: (id) => `/channels?${new URLSearchParams({ name: id })}`,
  businessId: (businessId) => `/holders?${new URLSearchParams({ businessId })}`,
  importId: (id) => `/imports/${encodeURIComponent(id)}`,
};

const TIME = /^\d{4}-\d{2}-\d{2}T.*Z$/;

/** A fact in words: `registeredOn` as `Registered on`, and times as everywhere. */
export function factInWords(name: string, value: string): readonly [name: string, value: string] {
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return [words.charAt(0).toUpperCase() + words.slice(1), TIME.test(value) ? `${dateTime(value)} UTC` : value];
}

/** Where a fact leads: to its page, to the search for what it names, or nowhere. */
export function pathOfFact(name: string, value: string): string | undefined {
  const page = Object.hasOwn(pages, name) ? pages[name] : undefined;
  if (page) return page(value);
  return name.endsWith('Id') ? search(value) : undefined;
}
