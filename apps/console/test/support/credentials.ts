import { privateKeySchema } from '@saleschannel/auth';
import { createCredentials, type Credentials } from '@saleschannel/grpc';
import { silentLogger } from '@saleschannel/runtime';
import { identityVariables } from '@saleschannel/testing';

/** Credentials of `admin`, by which services identify operators' programs. */
export function adminCredentials(): Promise<Credentials> {
  const { SERVICE_PRIVATE_KEY } = identityVariables('admin');
  const values = {
    SERVICE_PRIVATE_KEY: privateKeySchema.parse(JSON.parse(String(SERVICE_PRIVATE_KEY))),
    GRPC_TLS_CERT_FILE: undefined,
    GRPC_TLS_KEY_FILE: undefined,
    GRPC_TLS_CA_FILE: undefined,
  };
  return createCredentials('admin', values, silentLogger);
}
