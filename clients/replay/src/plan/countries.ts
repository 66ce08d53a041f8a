/** Country codes by name. Names come from CLDR, included in Node, plus variants used by registries. */

/** ISO 3166 user-assigned code for an unknown country. */
export const UNKNOWN_COUNTRY = 'ZZ';

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
/** CLDR regions that are not countries. */
const NO_COUNTRIES = new Set(['EU', 'EZ', 'UN', 'QO', 'XA', 'XB', UNKNOWN_COUNTRY]);
/** In order of precedence for ambiguous names. */
const LANGUAGES = ['en', 'es', 'pt', 'fr', 'de', 'zh', 'ar'];

/** Names used by registries but not by CLDR. */
const SYNONYMS: Readonly<Record<string, string>> = {
  usa: 'US',
  'united states of america': 'US',
  uk: 'GB',
  'great britain': 'GB',
  england: 'GB',
  'viet nam': 'VN',
  turkey: 'TR',
  'russian federation': 'RU',
  'lao pdr': 'LA',
  'lao peoples democratic republic': 'LA',
  congo: 'CG',
  'republic of congo': 'CG',
  'congo republic': 'CG',
  'congo democratic republic of': 'CD',
  'democratic republic of congo': 'CD',
  drc: 'CD',
  'congo democratic republic': 'CD',
  'cote divoire': 'CI',
  'ivory coast': 'CI',
  'korea republic of': 'KR',
  'republic of korea': 'KR',
  korea: 'KR',
  'tanzania united republic of': 'TZ',
  'united republic of tanzania': 'TZ',
  'bolivia plurinational state of': 'BO',
  'venezuela bolivarian republic of': 'VE',
  'iran islamic republic of': 'IR',
  'moldova republic of': 'MD',
  'taiwan province of china': 'TW',
  'taiwan china': 'TW',
  'hong kong china': 'HK',
  'czech republic': 'CZ',
  swaziland: 'SZ',
  macedonia: 'MK',
  'cape verde': 'CV',
  'east timor': 'TL',
  'brunei darussalam': 'BN',
  'syrian arab republic': 'SY',
  burma: 'MM',
  holland: 'NL',
  'peoples republic of china': 'CN',
  'palestine state of': 'PS',
  'micronesia federated states of': 'FM',
  uae: 'AE',
  'chinese taipei': 'TW',
};

const namesIn = (language: string): Intl.DisplayNames =>
  new Intl.DisplayNames(language, { type: 'region', fallback: 'none' });

const englishNames = namesIn('en');

/** Built on first use. */
let codesByName: ReadonlyMap<string, string> | undefined;

/** ISO 3166-1 alpha-2 code of a cell with a code or name. `ZZ` if empty or unknown. */
export function countryCode(cell: string | undefined): string {
  if (cell === undefined) return UNKNOWN_COUNTRY;
  const letters = cell.toUpperCase();
  if (/^[A-Z]{2}$/.test(letters)) return currentCode(letters) ?? UNKNOWN_COUNTRY;
  codesByName ??= indexNames();
  return codesByName.get(normalize(cell)) ?? UNKNOWN_COUNTRY;
}

/** English name of a code. Undefined for `ZZ`. */
export const countryName = (code: string): string | undefined =>
  code === UNKNOWN_COUNTRY ? undefined : englishNames.of(code);

/** Current code: UK is GB, SU is RU. Undefined if unknown. */
function currentCode(letters: string): string | undefined {
  const { region } = new Intl.Locale(`und-${letters}`);
  if (region?.length !== 2 || NO_COUNTRIES.has(region)) return undefined;
  return englishNames.of(region) === undefined ? undefined : region;
}

function indexNames(): ReadonlyMap<string, string> {
  const codes = new Map<string, string>(Object.entries(SYNONYMS));
  const all = LETTERS.flatMap((one) => LETTERS.map((two) => one + two)).filter(
    (letters) => currentCode(letters) === letters,
  );
  for (const language of LANGUAGES) {
    const names = namesIn(language);
    for (const code of all) {
      const name = names.of(code);
      const key = name === undefined ? undefined : normalize(name);
      if (key && !codes.has(key)) codes.set(key, code);
    }
  }
  return codes;
}

/** Removes case, accents, punctuation and articles. */
const normalize = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{Mn}/gu, '')
    .replaceAll('&', ' and ')
    .replaceAll(/['’.]/g, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .replaceAll(/\bthe\b/g, ' ')
    .replaceAll(/ +/g, ' ')
    .trim();
