import type { KeyHolder } from '@saleschannel/auth';
import { DomainError } from '@saleschannel/errors';
import { createClient, type Credentials } from '@saleschannel/grpc';

export type LookUpResult = Awaited<ReturnType<typeof lookUp>>;

/**
 * Searches all services for an id.
 * @param connection.addresses `host:port` by service name
 * @param names true: also matches parts of names
 */
export async function lookUp(
  connection: { addresses: Readonly<Partial<Record<KeyHolder, string>>>; tokens: Credentials },
  id: string,
  names = false,
) {
  const { addresses, tokens } = connection;
  const results = await Promise.all(
    Object.entries(addresses).map(([service, address]) =>
      lookUpIn({ service: service as KeyHolder, address, tokens }, id, names),
    ),
  );
  return {
    found: results.flatMap(({ found }) => found),
    /** Services that could not be reached. Their records are missing in `found`. */
    unreachable: results.flatMap(({ service, isReachable }) => (isReachable ? [] : [service])),
  };
}

async function lookUpIn(
  { service, address, tokens }: { service: KeyHolder; address: string; tokens: Credentials },
  id: string,
  names: boolean,
) {
  const client = createClient('lookUp', { address, tokens, receiver: service });
  try {
    const { things } = await client.LookUp({ id, names });
    return { service, found: things.map(({ kind, facts }) => ({ service, kind, facts })), isReachable: true };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    // The text cannot be an id.
    if (error.code === 'not-found') return { service, found: [], isReachable: true };
    if (error.code === 'unavailable') return { service, found: [], isReachable: false };
    throw error;
  } finally {
    client.close();
  }
}
