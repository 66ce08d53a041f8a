import { Combobox as Base } from '@base-ui/react/combobox';
import { CSPProvider } from '@base-ui/react/csp-provider';
import { useContext, useId } from 'react';
import styles from './combobox.module.css';
import { Layer } from './layer.ts';

export interface Option {
  readonly value: string;
  readonly label: string;
}

interface ComboboxProps {
  readonly label: string;
  readonly options: readonly Option[];
  readonly value: Option | undefined;
  onChoose(option: Option | undefined): void;
  /** What is typed: the options may be looked up by it. Without it they are filtered here. */
  readonly onSearch?: (text: string) => void;
  /** Said when nothing fits. */
  readonly nothing: string;
}

/** One choice among many, found by typing. */
export function Combobox({ label, options, value, onChoose, onSearch, nothing }: ComboboxProps) {
  const id = useId();
  const layer = useContext(Layer);
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
        <div className={styles['field']}>
          <label htmlFor={id} className={styles['label']}>
            {label}
          </label>
          <Base.Input id={id} className={styles['input']} />
        </div>
        <Base.Portal container={layer}>
          <Base.Positioner align="start" sideOffset={2} positionMethod="fixed">
            <Base.Popup className={styles['popup']}>
              <Base.Empty className={styles['empty']}>{nothing}</Base.Empty>
              <Base.List>
                {(option: Option) => (
                  <Base.Item key={option.value} value={option} className={styles['item']}>
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
