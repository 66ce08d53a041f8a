const search = (id: string): string => `/search?${new URLSearchParams({ q: id })}`;

/** Facts whose pages show more than the look-up does. */
const pages: Readonly<Record<string, (id: string) => string>> = {
  userId: (id) => `/users/${encodeURIComponent(id)}`,
  accountHolderId: (id) => `/holders/${encodeURIComponent(id)}`,
  salesChannelId: (id) => `/channels?${new URLSearchParams({ name: id })}`,
  importId: (id) => `/imports/${encodeURIComponent(id)}`,
};

/** Where a fact leads: to its page, to the search for what it names, or nowhere. */
export function pathOfFact(name: string, value: string): string | undefined {
  const page = Object.hasOwn(pages, name) ? pages[name] : undefined;
  if (page) return page(value);
  return name.endsWith('Id') ? search(value) : undefined;
}
