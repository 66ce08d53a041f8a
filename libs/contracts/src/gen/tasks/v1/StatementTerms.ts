// Original file: protos/tasks/v1/tasks.proto


export interface StatementTerms {
  'publication'?: (string);
  'beneficiaryHiddenUntil'?: (string);
  '_publication'?: "publication";
  '_beneficiaryHiddenUntil'?: "beneficiaryHiddenUntil";
}

export interface StatementTerms__Output {
  'publication'?: (string);
  'beneficiaryHiddenUntil'?: (string);
  '_publication'?: "publication";
  '_beneficiaryHiddenUntil'?: "beneficiaryHiddenUntil";
}
