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
/** Typical growth of translations from English. */
const LONGER = 0.3;

/** Fakes a translation: accents show translated texts, brackets show cut-off ones. */
export function pseudoTranslate(text: string): string {
  const accented = [...text]
    .map((character) => {
      const accent = ACCENTS[character.toLowerCase()];
      if (accent === undefined) return character;
      return character === character.toLowerCase() ? accent : accent.toUpperCase();
    })
    .join('');
  return `[${accented}${'·'.repeat(Math.ceil(text.length * LONGER))}]`;
}

/** Texts of a page, and functions that format values. */
type Messages = Readonly<Record<string, string | ((...values: never[]) => string)>>;

type Language = 'en' | 'pseudo';

const KEY = 'language';
const languages: readonly Language[] = ['en', 'pseudo'];

const isLanguage = (text: string | null): text is Language => languages.some((language) => language === text);

/** From `?lang=`, which is then stored; otherwise the stored one. */
function chosenLanguage(): Language {
  const requested = new URLSearchParams(window.location.search).get('lang');
  if (isLanguage(requested)) localStorage.setItem(KEY, requested);
  const stored = localStorage.getItem(KEY);
  return isLanguage(stored) ? stored : 'en';
}

const language: Language = typeof window === 'undefined' ? 'en' : chosenLanguage();

/** Messages in a language. The code holds the English ones. */
export function translate<M extends Messages>(messages: M, to: Language = language): M {
  if (to === 'en') return messages;
  const entries = Object.entries(messages).map(([name, message]) => [
    name,
    typeof message === 'string'
      ? pseudoTranslate(message)
      : (...values: never[]) => pseudoTranslate(message(...values)),
  ]);
  return Object.fromEntries(entries) as M;
}
