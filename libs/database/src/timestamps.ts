/** SQL that renders a timestamptz as ISO 8601 in UTC with milliseconds, as every API of the system shows it. */
export const isoTimestamp = (column: string): string =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
