// Original file: protos/common/v1/ledger_progress.proto


export interface GetLedgerProgressRequest {
  'salesChannelId'?: (string);
  '_salesChannelId'?: "salesChannelId";
}

export interface GetLedgerProgressRequest__Output {
  'salesChannelId'?: (string);
  '_salesChannelId'?: "salesChannelId";
}
