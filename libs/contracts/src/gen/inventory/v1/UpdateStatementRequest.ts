// Original file: protos/inventory/v1/inventory.proto


export interface UpdateStatementRequest {
  'transactionId'?: (string);
  'publication'?: (string);
  'beneficiaryHiddenUntil'?: (string);
  '_publication'?: "publication";
  '_beneficiaryHiddenUntil'?: "beneficiaryHiddenUntil";
}

export interface UpdateStatementRequest__Output {
  'transactionId': (string);
  'publication'?: (string);
  'beneficiaryHiddenUntil'?: (string);
  '_publication'?: "publication";
  '_beneficiaryHiddenUntil'?: "beneficiaryHiddenUntil";
}
