// Original file: protos/tasks/v1/tasks.proto


export interface Retirement {
  'beneficiaryName'?: (string);
  'beneficiaryLocation'?: (string);
  'beneficiaryType'?: (string);
  'consumptionCountryCode'?: (string);
  'usageType'?: (string);
  'consumptionPeriodStart'?: (string);
  'consumptionPeriodEnd'?: (string);
  'retirementPurpose'?: (string);
}

export interface Retirement__Output {
  'beneficiaryName': (string);
  'beneficiaryLocation': (string);
  'beneficiaryType': (string);
  'consumptionCountryCode': (string);
  'usageType': (string);
  'consumptionPeriodStart': (string);
  'consumptionPeriodEnd': (string);
  'retirementPurpose': (string);
}
