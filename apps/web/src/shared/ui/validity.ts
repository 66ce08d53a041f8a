import { translate } from '../i18n/messages.ts';

const text = translate({
  missing: (label: string) => `${label} is required.`,
  incomplete: (label: string) => `${label} is not a complete date.`,
  noNumber: (label: string) => `${label} must be a number.`,
  noUrl: (label: string) => `${label} must be a URL that begins with https://.`,
  noEmail: (label: string) => `${label} must be an email address, such as name@example.com.`,
  format: (label: string) => `${label} does not have the expected format.`,
  tooLong: (label: string, most: number, length: number) =>
    `${label} must have at most ${most} characters. It has ${length}.`,
  tooLow: (label: string, least: string) => `${label} must be at least ${least}.`,
  tooHigh: (label: string, most: string) => `${label} must be at most ${most}.`,
  tooEarly: (label: string, first: string) => `${label} must not be before ${first}.`,
  tooLate: (label: string, last: string) => `${label} must not be after ${last}.`,
  wrong: (label: string) => `${label} is not valid.`,
  noneChosen: 'Choose at least one.',
});

/** State of a control. */
export interface ControlState {
  readonly label: string;
  readonly type: string;
  readonly validity: Partial<ValidityState>;
  readonly min?: string;
  readonly max?: string;
  /** Text of the control, for length checks. */
  readonly value?: string;
  readonly maxLength?: number | undefined;
  /** Message set by the control's component. */
  readonly custom?: string;
  /** Description of a valid value, in our wording. */
  readonly format?: string | undefined;
}

/** Characters as counted by the API, without surrounding spaces. */
const lengthOf = (value: string): number => [...value.trim()].length;

/** Error of a control as a sentence with its label. Undefined if valid. */
export function describeFault(control: ControlState): string | undefined {
  const { label, type, validity, min, max, value = '', maxLength, custom, format } = control;
  const isDate = type.startsWith('date');
  if (validity.badInput === true) return isDate ? text.incomplete(label) : text.noNumber(label);
  if (validity.valueMissing === true) return text.missing(label);
  if (validity.patternMismatch === true) return format ?? text.format(label);
  if (validity.typeMismatch === true) return type === 'email' ? text.noEmail(label) : text.noUrl(label);
  const length = maxLength === undefined ? 0 : lengthOf(value);
  if (maxLength !== undefined && length > maxLength) return text.tooLong(label, maxLength, length);
  if (validity.rangeUnderflow === true) return (isDate ? text.tooEarly : text.tooLow)(label, String(min));
  if (validity.rangeOverflow === true) return (isDate ? text.tooLate : text.tooHigh)(label, String(max));
  if (validity.customError === true && custom !== undefined) return custom;
  return validity.valid === false ? text.wrong(label) : undefined;
}

/** Error of a group without a ticked box. Undefined if a box is ticked. */
export const describeGroupFault = (isChosen: boolean): string | undefined => (isChosen ? undefined : text.noneChosen);
