// Original file: protos/tasks/v1/tasks.proto

import type { PricedSelection as _tasks_v1_PricedSelection, PricedSelection__Output as _tasks_v1_PricedSelection__Output } from '../../tasks/v1/PricedSelection.ts';

export interface Trade {
  'buyerId'?: (string);
  'currency'?: (string);
  'assets'?: (_tasks_v1_PricedSelection)[];
}

export interface Trade__Output {
  'buyerId': (string);
  'currency': (string);
  'assets': (_tasks_v1_PricedSelection__Output)[];
}
