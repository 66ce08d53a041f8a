import { Combobox as Base } from '@base-ui/react/combobox';
import { CSPProvider } from '@base-ui/react/csp-provider';
import { useContext, useEffect, useRef } from 'react';
import { translate } from '../i18n/messages.ts';
import { PopupContainer } from './dialog.tsx';
import styles from './form.module.css';
import { Frame, useControl, type FieldProps } from './form.tsx';

const text = translate({ choose: (label: string) => `${label} must be chosen from the list.` });

export interface Option {
  readonly value: string;
  readonly label: string;
}

interface ComboboxProps extends FieldProps {
  readonly options: readonly Option[];
  readonly value: Option | undefined;
  onChoose(option: Option | undefined): void;
  /** Called with the typed text to load options. Without it, options are filtered here. */
  readonly onSearch?: ((text: string) => void) | undefined;
  readonly isRequired?: boolean | undefined;
  /** Shown if nothing matches. */
  readonly nothing: string;
}

/** Chooses one of many options by typing. */
export function Combobox(props: ComboboxProps) {
  const { options, value, onChoose, onSearch, isRequired, nothing } = props;
  const { control, frame } = useControl(props);
  const layer = useContext(PopupContainer);
  const input = useRef<HTMLInputElement>(null);
  // Text without a chosen option does not satisfy a required field.
  const fault = isRequired === true && value === undefined ? text.choose(frame.label) : '';
  useEffect(() => input.current?.setCustomValidity(fault), [fault]);
  return (
    <CSPProvider disableStyleElements>
      <Base.Root
        items={options}
        value={value ?? null}
        isItemEqualToValue={(one: Option, other: Option) => one.value === other.value}
        onValueChange={(option: Option | null) => onChoose(option ?? undefined)}
        onInputValueChange={(text, { reason }) => {
          if (reason === 'input-change') onSearch?.(text);
        }}
        {...(onSearch && { filter: null })}
      >
        <div className={styles['combobox']}>
          <Frame {...frame} isOptional={isRequired === true ? false : undefined}>
            <Base.Input ref={input} {...control} className={styles['comboboxInput']} required={isRequired} />
          </Frame>
        </div>
        <Base.Portal container={layer}>
          <Base.Positioner align="start" sideOffset={2} positionMethod="fixed">
            <Base.Popup className={styles['popup']}>
              <Base.Empty className={styles['noOptions']}>{nothing}</Base.Empty>
              <Base.List>
                {(option: Option) => (
                  <Base.Item key={option.value} value={option} className={styles['option']}>
                    {option.label}
                  </Base.Item>
                )}
              </Base.List>
            </Base.Popup>
          </Base.Positioner>
        </Base.Portal>
      </Base.Root>
    </CSPProvider>
  );
}
