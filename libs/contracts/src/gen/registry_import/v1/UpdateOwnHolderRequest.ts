// Original file: protos/registry_import/v1/registry_import.proto


export interface UpdateOwnHolderRequest {
  'mergePatchJson'?: (string);
}

export interface UpdateOwnHolderRequest__Output {
  'mergePatchJson': (string);
}
