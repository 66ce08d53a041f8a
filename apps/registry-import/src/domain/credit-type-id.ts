/**
 * The machine-readable credit type when the registry gives none, made from the one for people. It is in upper case. `+`
 * becomes `PLUS`, and everything else that is no ASCII letter or digit becomes one underscore, except at the ends. For
 * instance, `CORC100+` becomes `CORC100_PLUS`. Empty when nothing is left. The rule must not change: an issuance that
 * is sent again must get the same id.
 */
export const defaultCreditTypeId = (creditType: string): string =>
  creditType
    .replaceAll('+', ' PLUS ')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .replaceAll(/^_|_$/g, '')
    .toUpperCase();
