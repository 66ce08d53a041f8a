// Original file: protos/common/v1/page.proto


export interface JsonRows {
  'data'?: (Buffer | Uint8Array | string);
  'next'?: (string);
  '_next'?: "next";
}

export interface JsonRows__Output {
  'data': (Buffer);
  'next'?: (string);
  '_next'?: "next";
}
