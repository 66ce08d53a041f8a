import type { IncomingMessage } from 'node:http';
import { createRefusal } from '@saleschannel/edge';
import { DomainError, type FaultCode } from '@saleschannel/errors';

/** Host (RFC 3986 section 3.2.2) with an optional port. */
const HOST = /^(?:\[[0-9A-Fa-f:.]+\]|[\w.~!$&'()*+,;=%-]+)(?::[0-9]{0,5})?$/;
/** Separator with which node:http joins repeated headers. */
const JOINED = ', ';

/** Error for a request that node:http accepts although its meaning is ambiguous. */
const malformed = (detail: string): DomainError => new DomainError('malformed-request', detail);

/** Returns the fault of the message itself, independent of its target. */
export const findMessageFault = (request: IncomingMessage): DomainError | undefined =>
  hostFault(request) ?? codingFault(request);

/** RFC 9112 section 3.2. */
function hostFault({ headers: { host }, httpVersion }: IncomingMessage): DomainError | undefined {
  const refusal = (detail: string, code: FaultCode) => createRefusal([{ parameter: 'Host', detail, code }]);
  if (host === undefined) return httpVersion === '1.1' ? refusal('is required', 'required') : undefined;
  if (HOST.test(host)) return undefined;
  return host.includes(JOINED)
    ? refusal('is given more than once', 'repeated-parameter')
    : refusal('must be a host name or address, with an optional port', 'format');
}

/**
 * RFC 9112 section 6.1. A body in another coding would be misread. The RFC suggests 501, which would count as a failure
 * of the service.
 */
function codingFault({ headers, httpVersion }: IncomingMessage): DomainError | undefined {
  const coding = headers['transfer-encoding'];
  if (coding === undefined) return undefined;
  if (httpVersion !== '1.1') return malformed('Transfer-Encoding needs HTTP/1.1.');
  return coding.trim().toLowerCase() === 'chunked' ? undefined : malformed('The only transfer coding is "chunked".');
}
