// Original file: protos/inventory/v1/inventory.proto


export interface GetCertificateStatusRequest {
  'certificate'?: (string);
}

export interface GetCertificateStatusRequest__Output {
  'certificate': (string);
}
