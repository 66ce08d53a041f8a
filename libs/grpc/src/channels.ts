import { Client as GrpcClient, credentials, type ClientOptions } from '@grpc/grpc-js';
import { InProcessChannel } from './in-process-channel.ts';
import { parseInProcessName } from './in-process.ts';
import { tlsOptions, type Tls } from './tls.ts';

export interface ChannelSettings {
  /**
   * Credentials of this program, and the name of the called program. Undefined for plaintext. Unused inside a process.
   */
  readonly tls: { readonly own: Tls; readonly receiver: string } | undefined;
  /** Options of a channel over sockets. */
  readonly options: ClientOptions;
  /** Whether calls of a method are retried when the server is unavailable. Over sockets, `options` decide. */
  readonly isRepeatable?: (path: string) => boolean;
}

/** Opens a channel to an address: `host:port` or `in-process:<name>`. */
export function openChannel(
  address: string,
  { tls, options, isRepeatable = () => false }: ChannelSettings,
): GrpcClient {
  const name = parseInProcessName(address);
  if (name !== undefined)
    return new GrpcClient(address, credentials.createInsecure(), {
      channelOverride: new InProcessChannel(name, isRepeatable),
    });
  const ownCredentials = tls?.own.createClientCredentials(tls.receiver) ?? credentials.createInsecure();
  return new GrpcClient(address, ownCredentials, { ...options, ...(tls && tlsOptions(tls.receiver)) });
}
