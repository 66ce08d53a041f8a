const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
/** In the order of the letters. */
const ACCENTED = 'áƀçðéƒĝĥîjķļɱñöþǫŕšţûṽŵẋýž';
/** Typical growth of translations from English. */
const TRANSLATION_GROWTH = 0.3;

/** Fakes a translation: accents mark translated texts, and brackets reveal cut-off texts. */
export function pseudoTranslate(text: string): string {
  const accented = [...text]
    .map((character) => {
      const accent = ACCENTED.charAt(LETTERS.indexOf(character.toLowerCase()));
      if (accent === '') return character;
      return character === character.toLowerCase() ? accent : accent.toUpperCase();
    })
    .join('');
  return `[${accented}${'·'.repeat(Math.ceil(text.length * TRANSLATION_GROWTH))}]`;
}

/** Texts, and functions from values to texts. */
type Messages = Readonly<Record<string, string | ((...values: never[]) => string)>>;

type Language = 'en' | 'pseudo';

const KEY = 'language';
const languages: readonly Language[] = ['en', 'pseudo'];

const isLanguage = (text: string | null): text is Language => languages.some((language) => language === text);

/** Reads the language from `?lang=`, which is then stored, or else the stored language. */
function readLanguage(): Language {
  const requested = new URLSearchParams(window.location.search).get('lang');
  if (isLanguage(requested)) localStorage.setItem(KEY, requested);
  const stored = localStorage.getItem(KEY);
  return isLanguage(stored) ? stored : 'en';
}

const language: Language = typeof window === 'undefined' ? 'en' : readLanguage();

/** Translates messages, which are English in the code. */
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
