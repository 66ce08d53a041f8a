import { fileURLToPath } from 'node:url';
import { loadSync, type MessageTypeDefinition, type PackageDefinition } from '@grpc/proto-loader';
import type { Problem, Problem__Output } from './gen/common.v1.ts';
import type { Status, Status__Output } from './gen/google.rpc.ts';

/** Folder of the proto files, next to the folder of the libraries, in the repository and in every image. */
const protoDirectory = fileURLToPath(new URL('../../../protos', import.meta.url));

const loaded = new Map<string, PackageDefinition>();

/** Loads the definitions of a proto file and its imports. The generated types rely on these options. */
export function loadProtos(file: string): PackageDefinition {
  const known = loaded.get(file);
  if (known) return known;
  const options = { includeDirs: [protoDirectory], longs: String, enums: String, defaults: true, oneofs: true };
  const definitions = loadSync(file, options);
  loaded.set(file, definitions);
  return definitions;
}

const message = <Input, Output>(file: string, name: string): MessageTypeDefinition<Input, Output> =>
  loadProtos(file)[name] as unknown as MessageTypeDefinition<Input, Output>;

/** Message types of errors in the trailers of failed calls. */
export const errorMessages = {
  get problem(): MessageTypeDefinition<Problem, Problem__Output> {
    return message('common/v1/problem.proto', 'common.v1.Problem');
  },
  get status(): MessageTypeDefinition<Status, Status__Output> {
    return message('google/rpc/status.proto', 'google.rpc.Status');
  },
};

export type { Problem, Problem__Output } from './gen/common.v1.ts';
