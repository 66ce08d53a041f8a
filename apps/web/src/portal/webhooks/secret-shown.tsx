import { Button } from '../../shared/ui/button.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { Secret } from '../../shared/ui/secret.tsx';
import { text } from './text.ts';

/** The secret of an endpoint, once. Not closed by Escape. */
export const SecretShown = ({ secret, onCopied }: { readonly secret: string; onCopied(): void }) => (
  <Dialog
    title={text.secretTitle}
    actions={
      <Button look="primary" onClick={onCopied}>
        {text.copied}
      </Button>
    }
  >
    <p>{text.secretOnce}</p>
    <p>{text.secretUse}</p>
    <Secret parts={[[text.secret, secret]]} />
  </Dialog>
);
