const letters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ı: 'i',
};

/** Removes case and accents, as `folded_name` in the services. */
const folded = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replaceAll(/[ßæœøłđı]/g, (letter) => letters[letter] ?? letter);

/** Whether a name contains a text, ignoring case and accents. */
export const isInName = (part: string, name: string): boolean => folded(name).includes(folded(part));
