// Original file: protos/sandbox/v1/sandbox.proto


export interface TriggerResponse {
  'message'?: (string);
  'traderId'?: (string);
  'taskId'?: (string);
  'transactionId'?: (string);
  'proposalId'?: (string);
  'webhookEndpointIds'?: (string)[];
  'until'?: (string);
  '_traderId'?: "traderId";
  '_taskId'?: "taskId";
  '_transactionId'?: "transactionId";
  '_proposalId'?: "proposalId";
  '_until'?: "until";
}

export interface TriggerResponse__Output {
  'message': (string);
  'traderId'?: (string);
  'taskId'?: (string);
  'transactionId'?: (string);
  'proposalId'?: (string);
  'webhookEndpointIds': (string)[];
  'until'?: (string);
  '_traderId'?: "traderId";
  '_taskId'?: "taskId";
  '_transactionId'?: "transactionId";
  '_proposalId'?: "proposalId";
  '_until'?: "until";
}
