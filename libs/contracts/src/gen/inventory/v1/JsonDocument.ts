// Original file: protos/inventory/v1/inventory.proto


export interface JsonDocument {
  'data'?: (Buffer | Uint8Array | string);
}

export interface JsonDocument__Output {
  'data': (Buffer);
}
