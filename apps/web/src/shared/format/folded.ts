const letters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ı: 'i',
};

/** A name without case and accents, as `folded_name` of the services makes it. */
const folded = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replaceAll(/[ßæœøłđı]/g, (letter) => letters[letter] ?? letter);

/** Returns whether a text is anywhere in a name, without regard to case and accents. */
export const isInName = (part: string, name: string): boolean => folded(name).includes(folded(part));
