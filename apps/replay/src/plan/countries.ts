/** ISO 3166 user-assigned code for what is not known. */
export const UNKNOWN_COUNTRY = 'ZZ';

const A = 'A'.charCodeAt(0);
const LETTERS = Array.from({ length: 26 }, (_, index) => String.fromCharCode(A + index));
/** Regions of CLDR that are no countries. */
const NO_COUNTRIES = new Set(['EU', 'EZ', 'UN', 'QO', 'XA', 'XB', UNKNOWN_COUNTRY]);
/** In this order: a name means what it means in the first language that has it. */
const LANGUAGES = ['en', 'es', 'pt', 'fr', 'de', 'zh', 'ar'];

/** Names that registries use and CLDR does not. */
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

/** The name without what people write differently: case, accents, punctuation, articles. */
function plain(name: string): string {
  const words = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{Mn}/gu, '')
    .replaceAll('&', ' and ')
    .replaceAll(/['’.]/g, '');
  return words
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .replaceAll(/\bthe\b/g, ' ')
    .replaceAll(/ +/g, ' ')
    .trim();
}

/** The code in use today: UK is GB, SU is RU. Undefined for letters that name no region. */
function currentCode(letters: string): string | undefined {
  const { region } = new Intl.Locale(`und-${letters}`);
  return region && region.length === 2 && !NO_COUNTRIES.has(region) && englishNames.of(region) !== undefined
    ? region
    : undefined;
}

const englishNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

let codesByName: ReadonlyMap<string, string> | undefined;

function makeCodesByName(): ReadonlyMap<string, string> {
  const codes = new Map<string, string>(Object.entries(SYNONYMS));
  const all = LETTERS.flatMap((one) => LETTERS.map((two) => one + two)).filter(
    (letters) => currentCode(letters) === letters,
  );
  for (const language of LANGUAGES) {
    const names = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' });
    for (const code of all) {
      const name = plain(names.of(code) ?? '');
      if (name !== '' && !codes.has(name)) codes.set(name, code);
    }
  }
  return codes;
}

/** ISO 3166-1 alpha-2 code of a country cell, which holds a code or a name; `ZZ` when it is not known. */
export function countryCode(cell: string): string {
  const letters = cell.toUpperCase();
  if (/^[A-Z]{2}$/.test(letters)) return currentCode(letters) ?? UNKNOWN_COUNTRY;
  codesByName ??= makeCodesByName();
  return codesByName.get(plain(cell)) ?? UNKNOWN_COUNTRY;
}

/** English name of a code; undefined for `ZZ`. */
export const countryName = (code: string): string | undefined =>
  code === UNKNOWN_COUNTRY ? undefined : englishNames.of(code);
