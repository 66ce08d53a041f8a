// Original file: protos/tasks/v1/tasks.proto


export interface Selection {
  'start'?: (string);
  'end'?: (string);
  'unitPrice'?: (string);
  '_unitPrice'?: "unitPrice";
}

export interface Selection__Output {
  'start': (string);
  'end': (string);
  'unitPrice'?: (string);
  '_unitPrice'?: "unitPrice";
}
