/** OpenID Connect Core section 2 allows a subject 255 characters. */
const SUBJECT_LENGTH_AT_MOST = 255;
const ISSUER_LENGTH_AT_MOST = 500;
const ACCOUNT_HOLDER_ID_LENGTH_AT_MOST = 100;

/** Control characters have no place in a name, and PostgreSQL takes no NUL. */
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f]/;

/** Ill-formed UTF-16 would become U+FFFD on its way to the database, and two different texts one. */
const isPlain = (text: string, lengthAtMost: number): boolean =>
  text.length > 0 && text.length <= lengthAtMost && text.isWellFormed() && !CONTROL.test(text);

export const isSubject = (text: string): boolean => isPlain(text, SUBJECT_LENGTH_AT_MOST);
export const isIssuer = (text: string): boolean => isPlain(text, ISSUER_LENGTH_AT_MOST);
export const isAccountHolderId = (text: string): boolean => isPlain(text, ACCOUNT_HOLDER_ID_LENGTH_AT_MOST);
