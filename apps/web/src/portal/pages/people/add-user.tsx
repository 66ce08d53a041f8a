import { useState } from 'react';
import { translate } from '../../../shared/i18n/messages.ts';
import { FormDialog } from '../../../shared/ui/action-dialog.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { readText } from '../../../shared/ui/form-text.ts';
import { Select, Field, Group } from '../../../shared/ui/form.tsx';
import { Secret } from '../../../shared/ui/page.tsx';
import { roles, roleLabel, type Role } from '../../me.ts';
import styles from '../../portal.module.css';
import { useInvite, useAddUser } from './people.ts';

const text = translate({
  invite: 'Invite user',
  inviteAbout: 'Anyone with the link can accept the invitation once, within 72 hours. Send the link yourself.',
  email: 'Email address',
  emailHint: 'If given, only a user with this verified address can accept.',
  roles: 'Roles',
  create: 'Create invitation',
  invited: 'Invitation created',
  onlyOnce: 'The link is shown only once. Copy it now.',
  link: 'Link',
  token: 'Token',
  copied: 'I have copied it',
  addUser: 'Add user',
  addUserAbout: 'Adds the user to the sales channel immediately, without roles. Then select their roles in the list.',
  how: 'Identified by',
  byUserId: 'User id, shown on their "You" page',
  bySubject: 'Name at the identity provider',
  userId: 'User id',
  subject: 'Name at the identity provider (sub)',
  issuer: 'Identity provider',
  addUserDo: 'Add user',
});

const RoleChoice = ({ fault }: { readonly fault: string | undefined }) => (
  <Group legend={text.roles} isRequired fault={fault}>
    <div className={styles['roles']}>
      {roles.map((role) => (
        <label key={role}>
          <input type="checkbox" name="roles" value={role} /> {roleLabel(role)}
        </label>
      ))}
    </div>
  </Group>
);

/** Creates an invitation and shows its link once. */
export function InviteUser({ onClose }: { onClose(): void }) {
  const invitation = useInvite();
  const { data } = invitation;
  if (data) {
    return (
      <Dialog
        title={text.invited}
        actions={
          <Button look="primary" onClick={onClose}>
            {text.copied}
          </Button>
        }
      >
        <p>{text.onlyOnce}</p>
        <Secret parts={[data.url === null ? [text.token, data.token] : [text.link, data.url]]} />
      </Dialog>
    );
  }
  const submit = (form: FormData): void =>
    invitation.mutate({ email: readText(form, 'email') ?? null, roles: form.getAll('roles') as Role[] });
  return (
    <FormDialog
      title={text.invite}
      button={text.create}
      change={invitation}
      pointers={['/email', '/roles']}
      onSubmit={submit}
      onClose={onClose}
    >
      {(faultAt) => (
        <>
          <p>{text.inviteAbout}</p>
          <Field
            label={text.email}
            hint={text.emailHint}
            name="email"
            type="email"
            maxLength={254}
            fault={faultAt('/email')}
          />
          <RoleChoice fault={faultAt('/roles')} />
        </>
      )}
    </FormDialog>
  );
}

interface AddUserProps {
  readonly salesChannelId: string;
  /** Identity provider of the current user, as the default. */
  readonly issuer: string;
  onClose(): void;
}

/** Adds a user, even before their first sign-in. */
export function AddUser({ salesChannelId, issuer, onClose }: AddUserProps) {
  const adding = useAddUser(salesChannelId);
  const [isById, setById] = useState(true);
  const submit = (form: FormData): void => {
    const [userId, subject] = [readText(form, 'userId'), readText(form, 'subject')];
    if (isById && userId !== undefined) adding.mutate({ userId }, { onSuccess: onClose });
    const named = { issuer: readText(form, 'issuer') ?? issuer, subject: String(subject) };
    if (!isById && subject !== undefined) adding.mutate(named, { onSuccess: onClose });
  };
  return (
    <FormDialog
      title={text.addUser}
      button={text.addUserDo}
      change={adding}
      pointers={['/issuer', '/subject']}
      onSubmit={submit}
      onClose={onClose}
    >
      {(faultAt) => (
        <>
          <p>{text.addUserAbout}</p>
          <Select
            label={text.how}
            value={isById ? 'id' : 'subject'}
            onChange={({ target }) => setById(target.value === 'id')}
          >
            <option value="id">{text.byUserId}</option>
            <option value="subject">{text.bySubject}</option>
          </Select>
          {isById ? (
            <Field label={text.userId} name="userId" required maxLength={128} />
          ) : (
            <>
              <Field label={text.subject} name="subject" required maxLength={255} fault={faultAt('/subject')} />
              <Field
                label={text.issuer}
                name="issuer"
                required
                maxLength={500}
                defaultValue={issuer}
                fault={faultAt('/issuer')}
              />
            </>
          )}
        </>
      )}
    </FormDialog>
  );
}
