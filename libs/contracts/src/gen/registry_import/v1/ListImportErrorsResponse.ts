// Original file: protos/registry_import/v1/registry_import.proto

import type { ImportError as _registry_import_v1_ImportError, ImportError__Output as _registry_import_v1_ImportError__Output } from '../../registry_import/v1/ImportError.ts';
import type { Long } from '@grpc/proto-loader';

export interface ListImportErrorsResponse {
  'total'?: (number | string | Long);
  'errors'?: (_registry_import_v1_ImportError)[];
  'next'?: (string);
  '_next'?: "next";
}

export interface ListImportErrorsResponse__Output {
  'total': (string);
  'errors': (_registry_import_v1_ImportError__Output)[];
  'next'?: (string);
  '_next'?: "next";
}
