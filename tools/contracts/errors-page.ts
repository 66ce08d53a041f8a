import { errorCodes, faultCodes, meanings, type ErrorCode } from '../../libs/errors/src/index.ts';
import type { Contract } from '../sdk-contract.ts';
import { repeatsRows } from './repeats.ts';

/** In code a character stands for itself, entities too. */
const cell = (text: string): string =>
  text.replaceAll('|', String.raw`\|`).replaceAll(/`[^`]*`|</g, (found) => (found === '<' ? '&lt;' : found));
const codeCell = (code: string): string => `\`${code}\``;

const problemRows = (Object.keys(errorCodes) as ErrorCode[])
  .toSorted((a, b) => errorCodes[a].http - errorCodes[b].http)
  .map((code) => {
    const { http, retryable } = errorCodes[code];
    const { cause, cure } = meanings[code];
    return `| ${http} | \`/problems/${code}\` | ${cell(cause)} | ${cell(cure)} | ${retryable ? 'yes' : 'no'} |`;
  });

const faultRows = Object.entries(faultCodes)
  .toSorted(([a], [b]) => (a < b ? -1 : 1))
  .map(([code, { cause, cure }]) => `| ${codeCell(code)} | ${cell(cause)} | ${cell(cure)} |`);

/** docs/integrate/errors.md: every problem type, what a repeat of each POST does, and every code of `errors`. */
export const errorsPage = (contract: Contract): string =>
  `<!-- Made by "npm run generate:errors" of libs/errors and the contract. Change those. -->

# Error codes

Every error of the API is \`application/problem+json\` (RFC 9457). Branch on \`type\`: its last part is one of the codes
below, and it is the path of a page about it. Where a value of the request is at fault, \`errors\` names each of them
with a \`pointer\` into the body or a \`parameter\`, a \`detail\` for people, and a \`code\` of the last table.

\`\`\`json
{
  "type": "/problems/request-refused",
  "title": "The request cannot be carried out",
  "status": 400,
  "detail": "The selections cannot be carried out.",
  "instance": "/saleschannel-services/v1/traders/cm7q1a2bc0003x9f2t6y9u4op/inventory/trade",
  "requestId": "cm7q3d5xz000a9x2f1b4c8e7g",
  "errors": [{ "pointer": "#/assets/0/start", "code": "bundle-start", "detail": "No bundle starts here." }]
}
\`\`\`

Both lists are closed: nothing sends another code. A newer release may have more, so treat a code that you do not know
by its status. Texts for people may change at any time. Tell support the \`requestId\`, which every answer also has in
the header \`X-Request-Id\`.

## Problem types

The last column says whether the answer has \`Retry-After\`. Then the same request may be sent again after so many
seconds, with the same \`Idempotency-Key\` where there is one. After 500, 503 or no answer at all the request may have
been carried out. Repeating it is safe for GET, PUT, PATCH and DELETE, and for a POST that was sent with an
\`Idempotency-Key\`. What a POST without a key does is told [per operation](#repeats).

| Status | \`type\` | Cause | Cure | Repeat |
|---|---|---|---|---|
${problemRows.join('\n')}

## Repeats

When an answer was lost, repeat the request. GET, PUT, PATCH and DELETE do the same as once. For a POST it depends on
whether the request had an [\`Idempotency-Key\`](api.md#idempotency), and the repeat has the same:

| Operation | POST | With the same key | Without a key |
|---|---|---|---|
${repeatsRows(contract)}

## Codes of \`errors\`

Lines of an import that failed have the same codes, and those of problem types.

| \`code\` | Cause | Cure |
|---|---|---|
${faultRows.join('\n')}
`;
