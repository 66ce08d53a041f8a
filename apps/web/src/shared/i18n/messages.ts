import { pseudo } from './pseudo.ts';

/** What a page says: texts, and functions that make texts of values. */
export type Messages = Readonly<Record<string, string | ((...values: never[]) => string)>>;

export type Language = 'en' | 'pseudo';

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
