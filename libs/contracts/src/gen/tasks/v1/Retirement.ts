// Original file: protos/tasks/v1/tasks.proto

import type { PricedSelection as _tasks_v1_PricedSelection, PricedSelection__Output as _tasks_v1_PricedSelection__Output } from '../../tasks/v1/PricedSelection.ts';
import type { Period as _common_v1_Period, Period__Output as _common_v1_Period__Output } from '../../common/v1/Period.ts';
import type { StatementTerms as _tasks_v1_StatementTerms, StatementTerms__Output as _tasks_v1_StatementTerms__Output } from '../../tasks/v1/StatementTerms.ts';

export interface Retirement {
  'assets'?: (_tasks_v1_PricedSelection)[];
  'currency'?: (string);
  'beneficiaryName'?: (string);
  'beneficiaryLocation'?: (string);
  'beneficiaryType'?: (string);
  'consumptionCountryCode'?: (string);
  'usageType'?: (string);
  'consumptionPeriod'?: (_common_v1_Period | null);
  'retirementPurpose'?: (string);
  'statement'?: (_tasks_v1_StatementTerms | null);
  '_currency'?: "currency";
  '_statement'?: "statement";
}

export interface Retirement__Output {
  'assets': (_tasks_v1_PricedSelection__Output)[];
  'currency'?: (string);
  'beneficiaryName': (string);
  'beneficiaryLocation': (string);
  'beneficiaryType': (string);
  'consumptionCountryCode': (string);
  'usageType': (string);
  'consumptionPeriod': (_common_v1_Period__Output | null);
  'retirementPurpose': (string);
  'statement'?: (_tasks_v1_StatementTerms__Output | null);
  '_currency'?: "currency";
  '_statement'?: "statement";
}
