import type { Locator } from 'playwright-core';

/** Numbers are grouped with thin spaces. */
const plain = (text: string): string => text.replaceAll('\u202f', ' ');

/** Values of a description list, by name. */
export async function readDescriptionList(place: Locator): Promise<Record<string, string>> {
  const [names, values] = [await place.locator('dt').allInnerTexts(), await place.locator('dd').allInnerTexts()];
  return Object.fromEntries(names.map((name, index) => [name, plain(String(values[index]))]));
}
