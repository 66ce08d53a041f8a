import type { ComponentProps, MouseEvent } from 'react';
import styles from './button.module.css';

export interface ButtonProps extends ComponentProps<'button'> {
  readonly look?: 'primary' | 'danger' | 'quiet' | undefined;
  /** The action is running, so the button is disabled. */
  readonly busy?: boolean | undefined;
  /** Every click counts, as in a pager. Otherwise a double click counts once. */
  readonly repeats?: boolean | undefined;
}

export function Button({ look, busy, disabled, className, type = 'button', repeats, onClick, ...rest }: ButtonProps) {
  const classes = [styles['button'], look && styles[look], className].filter(Boolean).join(' ');
  const click = (event: MouseEvent<HTMLButtonElement>): void => {
    // The first click of a double click may have replaced the button under the pointer.
    if (event.detail > 1 && repeats !== true) event.preventDefault();
    else onClick?.(event);
  };
  const state = { disabled: disabled === true || busy === true, 'aria-busy': busy === true };
  return <button {...rest} {...state} type={type} className={classes} onClick={click} />;
}

/** A link to another document, such as the sign-in, styled as a button. */
export function ButtonLink({ look, className, ...rest }: ComponentProps<'a'> & Pick<ButtonProps, 'look'>) {
  const classes = [styles['button'], look && styles[look], className].filter(Boolean).join(' ');
  return <a {...rest} className={classes} />;
}
