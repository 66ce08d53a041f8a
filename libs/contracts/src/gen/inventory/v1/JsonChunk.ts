// Original file: protos/inventory/v1/inventory.proto


export interface JsonChunk {
  'data'?: (Buffer | Uint8Array | string);
}

export interface JsonChunk__Output {
  'data': (Buffer);
}
