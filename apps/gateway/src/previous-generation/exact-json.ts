declare global {
  interface JSON {
    /** What `stringify` writes as this very text. TypeScript's library does not know it yet. */
    rawJSON(text: string): unknown;
    parse(
      text: string,
      reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
    ): unknown;
  }
}

/** Reads JSON whose numbers `JSON.stringify` writes again digit by digit: prices and volumes stay exact. */
export const parseExactly = (text: string): unknown =>
  JSON.parse(text, (_key, value: unknown, { source }) =>
    typeof value === 'number' && source !== undefined ? JSON.rawJSON(source) : value,
  );
