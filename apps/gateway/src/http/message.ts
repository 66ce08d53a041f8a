import type { IncomingMessage } from 'node:http';
import { refusalOf } from '@saleschannel/edge';
import { DomainError, type FaultCode } from '@saleschannel/errors';

/** RFC 3986 section 3.2.2, and a port. */
const HOST = /^(?:\[[0-9A-Fa-f:.]+\]|[\w.~!$&'()*+,;=%-]+)(?::[0-9]{0,5})?$/;
/** How node:http joins headers that are there several times. */
const JOINED = ', ';

/** A request that node:http reads, and whose meaning is not certain all the same. */
const malformed = (detail: string): DomainError => new DomainError('malformed-request', detail);

/** What is wrong with the message as such, before anything that it asks for is looked at. */
export const messageFault = (request: IncomingMessage): DomainError | undefined =>
  hostFault(request) ?? codingFault(request);

/** RFC 9112 section 3.2. */
function hostFault({ headers: { host }, httpVersion }: IncomingMessage): DomainError | undefined {
  const refusal = (detail: string, code: FaultCode) => refusalOf([{ parameter: 'Host', detail, code }]);
  if (host === undefined) return httpVersion === '1.1' ? refusal('is required', 'required') : undefined;
  if (HOST.test(host)) return undefined;
  return host.includes(JOINED)
    ? refusal('is given more than once', 'repeated-parameter')
    : refusal('must be a host name or address, and perhaps a port', 'format');
}

/**
 * RFC 9112 section 6.1. A body in another coding would be taken for what it is not. The RFC suggests 501, which would
 * count as a failure of the service.
 */
function codingFault({ headers, httpVersion }: IncomingMessage): DomainError | undefined {
  const coding = headers['transfer-encoding'];
  if (coding === undefined) return undefined;
  if (httpVersion !== '1.1') return malformed('Transfer-Encoding needs HTTP/1.1.');
  return coding.trim().toLowerCase() === 'chunked' ? undefined : malformed('The only transfer coding is "chunked".');
}
