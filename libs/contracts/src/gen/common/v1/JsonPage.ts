// Original file: protos/common/v1/documents.proto

import type { Long } from '@grpc/proto-loader';

export interface JsonPage {
  'total'?: (number | string | Long);
  'data'?: (Buffer | Uint8Array | string);
  'next'?: (string);
  '_next'?: "next";
}

export interface JsonPage__Output {
  'total': (string);
  'data': (Buffer);
  'next'?: (string);
  '_next'?: "next";
}
