// Original file: protos/registry_import/v1/registry_import.proto

import type { Import as _registry_import_v1_Import, Import__Output as _registry_import_v1_Import__Output } from '../../registry_import/v1/Import.ts';
import type { Long } from '@grpc/proto-loader';

export interface ListImportsResponse {
  'total'?: (number | string | Long);
  'imports'?: (_registry_import_v1_Import)[];
  'next'?: (string);
  '_next'?: "next";
}

export interface ListImportsResponse__Output {
  'total': (string);
  'imports': (_registry_import_v1_Import__Output)[];
  'next'?: (string);
  '_next'?: "next";
}
