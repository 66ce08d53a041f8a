// Original file: protos/registry_import/v1/registry_import.proto

import type { Long } from '@grpc/proto-loader';

export interface Import {
  'importId'?: (string);
  'status'?: (string);
  'linesRead'?: (number | string | Long);
  'linesApplied'?: (number | string | Long);
  'linesFailed'?: (number | string | Long);
  'createdAt'?: (string);
  'completedAt'?: (string);
  'errorsStored'?: (number | string | Long);
  '_completedAt'?: "completedAt";
}

export interface Import__Output {
  'importId': (string);
  'status': (string);
  'linesRead': (string);
  'linesApplied': (string);
  'linesFailed': (string);
  'createdAt': (string);
  'completedAt'?: (string);
  'errorsStored': (string);
  '_completedAt'?: "completedAt";
}
