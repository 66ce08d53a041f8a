// Original file: protos/common/v1/documents.proto


export interface JsonDocument {
  'data'?: (Buffer | Uint8Array | string);
}

export interface JsonDocument__Output {
  'data': (Buffer);
}
