// Original file: protos/registry_import/v1/registry_import.proto

import type { ImportHeader as _registry_import_v1_ImportHeader, ImportHeader__Output as _registry_import_v1_ImportHeader__Output } from '../../registry_import/v1/ImportHeader.ts';
import type { ImportEnd as _registry_import_v1_ImportEnd, ImportEnd__Output as _registry_import_v1_ImportEnd__Output } from '../../registry_import/v1/ImportEnd.ts';

export interface StartImportRequest {
  'header'?: (_registry_import_v1_ImportHeader | null);
  'data'?: (Buffer | Uint8Array | string);
  'end'?: (_registry_import_v1_ImportEnd | null);
  'part'?: "header"|"data"|"end";
}

export interface StartImportRequest__Output {
  'header'?: (_registry_import_v1_ImportHeader__Output | null);
  'data'?: (Buffer);
  'end'?: (_registry_import_v1_ImportEnd__Output | null);
  'part'?: "header"|"data"|"end";
}
