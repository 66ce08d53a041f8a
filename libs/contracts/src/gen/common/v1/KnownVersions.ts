// Original file: protos/common/v1/documents.proto


export interface KnownVersions {
  'versions'?: (string)[];
  'any'?: (boolean);
}

export interface KnownVersions__Output {
  'versions': (string)[];
  'any': (boolean);
}
