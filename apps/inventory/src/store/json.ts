/** `JSON.rawJSON` of the running Node, which TypeScript's library does not know yet: a number as the exact text that stands in the answer. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };

/** A JSON number with exactly these digits; never through binary floating point. */
export const exactNumber = (text: string): unknown => rawJSON(text);
