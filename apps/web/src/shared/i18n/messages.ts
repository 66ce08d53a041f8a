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

/** What a page says: texts, and functions that make texts of values. */
type Messages = Readonly<Record<string, string | ((...values: never[]) => string)>>;

type Language = 'en' | 'pseudo';

const KEY = 'language';
const languages: readonly Language[] = ['en', 'pseudo'];

const isLanguage = (text: string | null): text is Language => languages.some((language) => language === text);

/** Of the address (`?lang=`), which is remembered, or of before. */
function chosenLanguage(): Language {
  const asked = new URLSearchParams(window.location.search).get('lang');
  if (isLanguage(asked)) localStorage.setItem(KEY, asked);
  const kept = localStorage.getItem(KEY);
  return isLanguage(kept) ? kept : 'en';
}

const language: Language = typeof window === 'undefined' ? 'en' : chosenLanguage();

/** The messages in a language. English is what is written in the code. */
export function translated<M extends Messages>(messages: M, to: Language = language): M {
  if (to === 'en') return messages;
  const entries = Object.entries(messages).map(([name, message]) => [
    name,
    typeof message === 'string' ? pseudo(message) : (...values: never[]) => pseudo(message(...values)),
  ]);
  return Object.fromEntries(entries) as M;
}
