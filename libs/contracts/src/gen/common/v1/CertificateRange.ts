// Original file: protos/common/v1/certificates.proto


export interface CertificateRange {
  'start'?: (string);
  'end'?: (string);
}

export interface CertificateRange__Output {
  'start': (string);
  'end': (string);
}
