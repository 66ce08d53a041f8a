import type { Locator } from 'playwright-core';

/** Numbers are grouped by thin spaces. */
const plain = (text: string): string => text.replaceAll('\u202f', ' ');

/** What a dialog says of each thing, by its name. */
export async function factsOf(place: Locator): Promise<Record<string, string>> {
  const [names, values] = [await place.locator('dt').allInnerTexts(), await place.locator('dd').allInnerTexts()];
  return Object.fromEntries(names.map((name, index) => [name, plain(String(values[index]))]));
}
