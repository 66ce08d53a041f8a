// Original file: protos/common/v1/documents.proto

import type { ListFormat as _common_v1_ListFormat, ListFormat__Output as _common_v1_ListFormat__Output } from '../../common/v1/ListFormat.ts';

export interface JsonChunk {
  'data'?: (Buffer | Uint8Array | string);
  'version'?: (string);
  'unchanged'?: (boolean);
  'format'?: (_common_v1_ListFormat);
  'expanded'?: (boolean);
  '_version'?: "version";
}

export interface JsonChunk__Output {
  'data': (Buffer);
  'version'?: (string);
  'unchanged': (boolean);
  'format': (_common_v1_ListFormat__Output);
  'expanded': (boolean);
  '_version'?: "version";
}
