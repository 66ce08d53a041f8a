import { useId } from 'react';
import styles from './switch.module.css';

interface SwitchProps {
  readonly label: string;
  readonly isOn: boolean;
  readonly busy?: boolean;
  onChange(isOn: boolean): void;
}

/** A switch that takes effect immediately. */
export function Switch({ label, isOn, busy = false, onChange }: SwitchProps) {
  const id = useId();
  return (
    <p className={styles['switch']}>
      <input
        id={id}
        type="checkbox"
        role="switch"
        checked={isOn}
        disabled={busy}
        onChange={({ target }) => onChange(target.checked)}
      />
      <label htmlFor={id}>{label}</label>
    </p>
  );
}
