// Original file: protos/registry_import/v1/registry_import.proto


export interface ImportHeader {
  'contentType'?: (string);
  'type'?: (string);
  '_type'?: "type";
}

export interface ImportHeader__Output {
  'contentType': (string);
  'type'?: (string);
  '_type'?: "type";
}
