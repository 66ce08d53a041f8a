// Original file: protos/registry_import/v1/registry_import.proto


export interface GetImportRequest {
  'importId'?: (string);
}

export interface GetImportRequest__Output {
  'importId': (string);
}
