import type { ComponentProps, MouseEvent } from 'react';
import styles from './button.module.css';

export interface ButtonProps extends ComponentProps<'button'> {
  readonly look?: 'primary' | 'danger' | 'quiet' | undefined;
  /** Its act is under way: it cannot be pressed. */
  readonly busy?: boolean | undefined;
  /** Clicks in quick succession are as many acts: a pager. Otherwise a double click is one. */
  readonly repeats?: boolean | undefined;
}

export function Button({ look, busy, disabled, className, type = 'button', repeats, onClick, ...rest }: ButtonProps) {
  const classes = [styles['button'], look && styles[look], className].filter(Boolean).join(' ');
  const click = (event: MouseEvent<HTMLButtonElement>): void => {
    // The second click of a double click was meant for the button that stood here at the first one.
    if (event.detail > 1 && repeats !== true) event.preventDefault();
    else onClick?.(event);
  };
  const state = { disabled: disabled === true || busy === true, 'aria-busy': busy === true };
  return <button {...rest} {...state} type={type} className={classes} onClick={click} />;
}

/** A link to another document, such as the sign-in, that looks like a button. */
export function ButtonLink({ look, className, ...rest }: ComponentProps<'a'> & Pick<ButtonProps, 'look'>) {
  const classes = [styles['button'], look && styles[look], className].filter(Boolean).join(' ');
  return <a {...rest} className={classes} />;
}
