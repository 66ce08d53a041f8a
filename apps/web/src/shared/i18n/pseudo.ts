const ACCENTS: Readonly<Record<string, string>> = {
  a: 'á',
  b: 'ƀ',
  c: 'ç',
  d: 'ð',
  e: 'é',
  f: 'ƒ',
  g: 'ĝ',
  h: 'ĥ',
  i: 'î',
  j: 'ĵ',
  k: 'ķ',
  l: 'ļ',
  m: 'ɱ',
  n: 'ñ',
  o: 'ö',
  p: 'þ',
  q: 'ǫ',
  r: 'ŕ',
  s: 'š',
  t: 'ţ',
  u: 'û',
  v: 'ṽ',
  w: 'ŵ',
  x: 'ẋ',
  y: 'ý',
  z: 'ž',
};
/** Other languages are longer than English by about this. */
const LONGER = 0.3;

/** What no translator wrote: accents show what is not translated, brackets what is cut off. */
export function pseudo(text: string): string {
  const accented = [...text]
    .map((character) => {
      const accent = ACCENTS[character.toLowerCase()];
      if (accent === undefined) return character;
      return character === character.toLowerCase() ? accent : accent.toUpperCase();
    })
    .join('');
  return `[${accented}${'·'.repeat(Math.ceil(text.length * LONGER))}]`;
}
