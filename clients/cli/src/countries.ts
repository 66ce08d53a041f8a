import { InvalidArgumentError } from 'commander';

/** ISO 3166-1 alpha-2. `Intl` names these and other regions, but lists none. */
const CODES = [
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY',
  'BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK',
  'FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR',
  'IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK',
  'ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM',
  'PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF',
  'TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW',
].flatMap((line) => line.split(' '));

const names = new Intl.DisplayNames('en', { type: 'region' });
const shortNames = new Intl.DisplayNames('en', { type: 'region', style: 'short' });

/** A longer list would not help. */
const SHOWN_AT_MOST = 10;

/** Country for display, with its code. */
export const formatCountry = (code: string): string => `${names.of(code)} (${code})`;

/** Removes case, accents and punctuation. */
const normalize = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Parses a country code or an English name. Parts of names are rejected, because they may mean another country. */
export function parseCountry(value: string): string {
  const name = normalize(value);
  const namesOf = (code: string): string[] =>
    [code, names.of(code) ?? code, shortNames.of(code) ?? code].map(normalize);
  const code = CODES.find((each) => namesOf(each).includes(name));
  if (code !== undefined) return code;
  const similar = CODES.filter((each) => namesOf(each).some((words) => ` ${words} `.includes(` ${name} `)));
  throw new InvalidArgumentError(
    similar.length === 0 || similar.length > SHOWN_AT_MOST
      ? 'It must be the English name of a country or its ISO 3166 code, such as Norway or NO.'
      : `Several countries match. Use the full name or the code: ${similar.map(formatCountry).join(', ')}.`,
  );
}
