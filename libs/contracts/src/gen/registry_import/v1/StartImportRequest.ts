// Original file: protos/registry_import/v1/registry_import.proto

import type { ImportHeader as _registry_import_v1_ImportHeader, ImportHeader__Output as _registry_import_v1_ImportHeader__Output } from '../../registry_import/v1/ImportHeader.ts';

export interface StartImportRequest {
  'header'?: (_registry_import_v1_ImportHeader | null);
  'data'?: (Buffer | Uint8Array | string);
  'part'?: "header"|"data";
}

export interface StartImportRequest__Output {
  'header'?: (_registry_import_v1_ImportHeader__Output | null);
  'data'?: (Buffer);
  'part'?: "header"|"data";
}
