import type { ComponentProps } from 'react';
import styles from './button.module.css';

export interface ButtonProps extends ComponentProps<'button'> {
  readonly look?: 'primary' | 'danger' | 'quiet' | undefined;
  /** What was asked for is under way. It is not asked for twice. */
  readonly busy?: boolean | undefined;
}

export function Button({ look, busy = false, disabled, className, type = 'button', ...rest }: ButtonProps) {
  const classes = [styles['button'], look && styles[look], className].filter(Boolean).join(' ');
  return <button {...rest} type={type} className={classes} disabled={disabled === true || busy} aria-busy={busy} />;
}

/** A link to another document, such as the sign-in, that looks like a button. */
export function ButtonLink({ look, className, ...rest }: ComponentProps<'a'> & Pick<ButtonProps, 'look'>) {
  const classes = [styles['button'], look && styles[look], className].filter(Boolean).join(' ');
  return <a {...rest} className={classes} />;
}
