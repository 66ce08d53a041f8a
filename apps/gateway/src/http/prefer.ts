/** Longer waits are reduced to this. */
const WAIT_SECONDS_AT_MOST = 10;
const HEADER_CHARACTERS_AT_MOST = 1_000;

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const QUOTED = String.raw`"(?:[^"\\]|\\.)*"`;
/** Separator, or name with value. Anything else is skipped. */
const PIECE = new RegExp(String.raw`([,;])|(${TOKEN})(?:[ \t]*=[ \t]*(${TOKEN}|${QUOTED}))?|${QUOTED}`, 'g');
const SECONDS = /^"?([0-9]+)"?$/;

/**
 * Reads the preference `wait` (RFC 7240 section 4.3): 1 to 10 seconds. The first one counts. Unknown and malformed
 * preferences are ignored. No library, because the available ones split quoted text at commas.
 */
export function readWait(header: string | undefined): number | undefined {
  if (header === undefined || header.length > HEADER_CHARACTERS_AT_MOST) return undefined;
  let isParameter = false;
  for (const [, separator, name, value] of header.matchAll(PIECE)) {
    if (separator !== undefined) isParameter = separator === ';';
    else if (!isParameter && name?.toLowerCase() === 'wait') return parseSeconds(value);
  }
  return undefined;
}

function parseSeconds(value: string | undefined): number | undefined {
  const seconds = value === undefined ? 0 : Number(SECONDS.exec(value)?.[1] ?? 0);
  return seconds > 0 ? Math.min(seconds, WAIT_SECONDS_AT_MOST) : undefined;
}
