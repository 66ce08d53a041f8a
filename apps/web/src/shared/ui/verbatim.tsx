import styles from './verbatim.module.css';

interface VerbatimProps {
  /** Says what it is, to those who do not see it. */
  readonly label: string;
  readonly children: string;
  /** Long lines take several. */
  readonly wraps?: boolean;
}

/** What a machine wrote, as it is. */
export function Verbatim({ label, children, wraps = false }: VerbatimProps) {
  const classes = [styles['verbatim'], wraps && styles['wraps']].filter(Boolean).join(' ');
  return (
    <pre className={classes} role="region" aria-label={label} tabIndex={0}>
      {children}
    </pre>
  );
}
