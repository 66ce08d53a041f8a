// Original file: protos/inventory/v1/inventory.proto


export interface GetCertificateHistoryRequest {
  'certificate'?: (string);
}

export interface GetCertificateHistoryRequest__Output {
  'certificate': (string);
}
