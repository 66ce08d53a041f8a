// Original file: protos/common/v1/page.proto

import type { ListFormat as _common_v1_ListFormat, ListFormat__Output as _common_v1_ListFormat__Output } from '../../common/v1/ListFormat.ts';

export interface JsonRows {
  'data'?: (Buffer | Uint8Array | string);
  'next'?: (string);
  'version'?: (string);
  'unchanged'?: (boolean);
  'format'?: (_common_v1_ListFormat);
  'expanded'?: (boolean);
  'ordered'?: (boolean);
  'searched'?: (boolean);
  '_next'?: "next";
  '_version'?: "version";
}

export interface JsonRows__Output {
  'data': (Buffer);
  'next'?: (string);
  'version'?: (string);
  'unchanged': (boolean);
  'format': (_common_v1_ListFormat__Output);
  'expanded': (boolean);
  'ordered': (boolean);
  'searched': (boolean);
  '_next'?: "next";
  '_version'?: "version";
}
