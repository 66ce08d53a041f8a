// Original file: protos/common/v1/page.proto


export interface JsonRows {
  'data'?: (Buffer | Uint8Array | string);
  'next'?: (string);
  'version'?: (string);
  'unchanged'?: (boolean);
  '_next'?: "next";
  '_version'?: "version";
}

export interface JsonRows__Output {
  'data': (Buffer);
  'next'?: (string);
  'version'?: (string);
  'unchanged': (boolean);
  '_next'?: "next";
  '_version'?: "version";
}
