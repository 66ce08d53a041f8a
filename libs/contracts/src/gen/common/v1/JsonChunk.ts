// Original file: protos/common/v1/documents.proto


export interface JsonChunk {
  'data'?: (Buffer | Uint8Array | string);
}

export interface JsonChunk__Output {
  'data': (Buffer);
}
