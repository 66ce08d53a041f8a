// Original file: protos/common/v1/documents.proto

import type { ListFormat as _common_v1_ListFormat, ListFormat__Output as _common_v1_ListFormat__Output } from '../../common/v1/ListFormat.ts';
import type { Long } from '@grpc/proto-loader';

export interface JsonPage {
  'total'?: (number | string | Long);
  'data'?: (Buffer | Uint8Array | string);
  'next'?: (string);
  'format'?: (_common_v1_ListFormat);
  'expanded'?: (boolean);
  '_next'?: "next";
}

export interface JsonPage__Output {
  'total': (string);
  'data': (Buffer);
  'next'?: (string);
  'format': (_common_v1_ListFormat__Output);
  'expanded': (boolean);
  '_next'?: "next";
}
