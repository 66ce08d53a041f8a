// Original file: protos/common/v1/documents.proto


export interface JsonChunk {
  'data'?: (Buffer | Uint8Array | string);
  'version'?: (string);
  'unchanged'?: (boolean);
  '_version'?: "version";
}

export interface JsonChunk__Output {
  'data': (Buffer);
  'version'?: (string);
  'unchanged': (boolean);
  '_version'?: "version";
}
