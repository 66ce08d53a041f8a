// Original file: protos/events/v1/events.proto


export interface EventFilter {
  'createdAtGt'?: (string);
  'createdAtGte'?: (string);
  'createdAtLt'?: (string);
  'createdAtLte'?: (string);
  'eventType'?: (string);
  '_createdAtGt'?: "createdAtGt";
  '_createdAtGte'?: "createdAtGte";
  '_createdAtLt'?: "createdAtLt";
  '_createdAtLte'?: "createdAtLte";
  '_eventType'?: "eventType";
}

export interface EventFilter__Output {
  'createdAtGt'?: (string);
  'createdAtGte'?: (string);
  'createdAtLt'?: (string);
  'createdAtLte'?: (string);
  'eventType'?: (string);
  '_createdAtGt'?: "createdAtGt";
  '_createdAtGte'?: "createdAtGte";
  '_createdAtLt'?: "createdAtLt";
  '_createdAtLte'?: "createdAtLte";
  '_eventType'?: "eventType";
}
