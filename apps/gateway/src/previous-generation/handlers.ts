import { pick } from '@saleschannel/edge';
import { meter } from '@saleschannel/runtime';
import { isOldForm, parseCertificateRef } from '@saleschannel/primitives';
import type { Answer } from '../http/answer.ts';
import type { Handlers } from '../http/pipeline.ts';
import { previousOperations, toPreviousPath, type PreviousOperationId } from './operations.ts';

/** Converts responses of the current generation of the API to the previous one. */

declare global {
  interface JSON {
    /** Makes `stringify` write this text. Missing in TypeScript's library. */
    rawJSON(text: string): unknown;
    parse(
      text: string,
      reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
    ): unknown;
  }
}

/** Parses JSON so that `JSON.stringify` writes its numbers digit by digit: prices and volumes stay exact. */
const parseExactly = (text: string): unknown =>
  JSON.parse(text, (_key, value: unknown, { source }) =>
    typeof value === 'number' && source !== undefined ? JSON.rawJSON(source) : value,
  );

type Members = Record<string, unknown>;

function readSerial(certificate: unknown): string {
  const reference = parseCertificateRef(String(certificate));
  if (!reference) throw new Error('inventory answered with an invalid certificate reference');
  return reference.serial;
}

const withoutIssuance = ({ start, end, ...rest }: Members): Members => ({
  ...rest,
  start: readSerial(start),
  end: readSerial(end),
});

/** Omits bundles of the new form, whose serials are ambiguous without their issuance. */
function toPreviousAssets({ issuanceId: _issuanceId, certificates: _certificates, ...asset }: Members): Members[] {
  const bundle = withoutIssuance(asset);
  return isOldForm({ width: String(bundle['start']).length }) ? [bundle] : [];
}

const toPreviousTransaction = ({ assets, ...transaction }: Members): Members => ({
  ...transaction,
  assets: (assets as Members[]).map(withoutIssuance),
});

const toPreviousFacility = ({ gsrn: _gsrn, code: _code, ...facility }: Members): Members => facility;

function mapDocument<Status extends number>(
  answer: Answer<Status>,
  map: (document: Members) => Members,
): Answer<Status, never> {
  const { body } = answer;
  if (typeof body !== 'string' && !Buffer.isBuffer(body)) throw new Error('a document must not be streamed');
  return { ...withoutContent(answer), body: JSON.stringify(map(parseExactly(body.toString()) as Members)) };
}

function mapItems<Status extends number>(
  answer: Answer<Status>,
  map: (item: Members) => Members[],
): Answer<Status, never> {
  const { body } = answer;
  if (answer.status === 304) return withoutContent(answer);
  if (typeof body !== 'string' && !Buffer.isBuffer(body))
    return { ...withoutContent(answer), body: mapPieces(body, map) };
  const items = parseExactly(body.toString()) as Members[];
  return { ...withoutContent(answer), body: JSON.stringify(items.flatMap(map)) };
}

function withoutContent<Status extends number>({
  content: _content,
  ...answer
}: Answer<Status>): Omit<Answer<Status>, 'content'> {
  return answer;
}

/** Converts a streamed array. Pieces end between items, so each is a list except for its brackets and commas. */
async function* mapPieces(
  body: AsyncIterable<string | Buffer>,
  map: (item: Members) => Members[],
): AsyncGenerator<string> {
  let isOpen = false;
  for await (const piece of body) {
    const text = piece.toString();
    const inside = text.replace(/^[[,]/, '').replace(/\]$/, '');
    const items = (parseExactly(`[${inside}]`) as Members[]).flatMap(map);
    if (items.length === 0) continue;
    yield (isOpen ? ',' : '[') + JSON.stringify(items).slice(1, -1);
    isOpen = true;
  }
  yield isOpen ? ']' : '[]';
}

export type PreviousHandlers = Pick<Handlers, PreviousOperationId>;

type AnyHandler = (...given: Parameters<Handlers[PreviousOperationId]>) => Promise<Answer> | Answer;

/**
 * Creates the handlers of the previous generation from those of the current one, with converted responses.
 * @param handlers handlers whose transfers have the flag of the previous generation
 */
export function convertHandlers(handlers: PreviousHandlers): PreviousHandlers {
  const answered = meter().createCounter('saleschannel.requests.previous_generation', {
    description: 'Executed requests of the previous generation of the API, by operation',
  });
  const converted: PreviousHandlers = {
    ...pick(handlers, ...previousOperations),
    listInventory: async (...given) => mapItems(await handlers.listInventory(...given), toPreviousAssets),
    listTransactions: async (...given) =>
      mapItems(await handlers.listTransactions(...given), (transaction) => [toPreviousTransaction(transaction)]),
    getTransaction: async (...given) => mapDocument(await handlers.getTransaction(...given), toPreviousTransaction),
    listProductionFacilities: async (...given) =>
      mapItems(await handlers.listProductionFacilities(...given), (facility) => [toPreviousFacility(facility)]),
    getProductionFacility: async (...given) =>
      mapDocument(await handlers.getProductionFacility(...given), toPreviousFacility),
  };
  const wrap = (id: PreviousOperationId): AnyHandler => {
    const handler = converted[id] as AnyHandler;
    return async (...given) => {
      const answer = await handler(...given);
      answered.add(1, { operation: id });
      return withPreviousAddresses(answer, given[1].response.getHeader('Link'));
    };
  };
  return Object.fromEntries(previousOperations.map((id) => [id, wrap(id)])) as unknown as PreviousHandlers;
}

/** Moves `Location` to paths of the previous generation, and adds the response's `Link` to that of the successor. */
function withPreviousAddresses(answer: Answer, successor: unknown): Answer {
  const { Location: location, Link: link } = answer.headers ?? {};
  return {
    ...answer,
    headers: {
      ...answer.headers,
      ...(location === undefined ? {} : { Location: toPreviousPath(location) }),
      ...(link === undefined ? {} : { Link: [link, String(successor)].join(', ') }),
    },
  };
}
