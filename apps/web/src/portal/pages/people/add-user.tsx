import { useState } from 'react';
import { groupFaults } from '../../../shared/api/problem.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { readText } from '../../../shared/ui/form-text.ts';
import { Select, Field, Form, Group } from '../../../shared/ui/form.tsx';
import { Secret } from '../../../shared/ui/page.tsx';
import { Failure } from '../../../shared/ui/state.tsx';
import { roles, roleLabel, type Role } from '../../me.ts';
import styles from '../../portal.module.css';
import { useInvite, useAddUser } from './people.ts';
import { translate } from '../../../shared/i18n/messages.ts';

const text = translate({
  cancel: 'Cancel',
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
  const { data, error } = invitation;
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
  const { atFields, others } = groupFaults(error, ['/email', '/roles']);
  const submit = (form: FormData): void =>
    invitation.mutate({ email: readText(form, 'email') ?? null, roles: form.getAll('roles') as Role[] });
  return (
    <Dialog title={text.invite} actions={null} onClose={onClose}>
      <Form
        onSubmit={submit}
        faults={others}
        actions={
          <>
            <Button onClick={onClose}>{text.cancel}</Button>
            <Button type="submit" look="primary" busy={invitation.isPending}>
              {text.create}
            </Button>
          </>
        }
      >
        <p>{text.inviteAbout}</p>
        <Field
          label={text.email}
          hint={text.emailHint}
          name="email"
          type="email"
          maxLength={254}
          fault={atFields.get('/email')}
        />
        <RoleChoice fault={atFields.get('/roles')} />
        {error && atFields.size + others.length === 0 && <Failure error={error} />}
      </Form>
    </Dialog>
  );
}

interface AddUserProps {
  readonly salesChannelId: string;
  /** Identity provider of the current user, as the default. */
  readonly issuer: string;
  onClose(): void;
}

/** Adds a user, who may not have signed in yet. */
export function AddUser({ salesChannelId, issuer, onClose }: AddUserProps) {
  const adding = useAddUser(salesChannelId);
  const [isById, setById] = useState(true);
  const { atFields, others } = groupFaults(adding.error, ['/issuer', '/subject']);
  const submit = (form: FormData): void => {
    const [userId, subject] = [readText(form, 'userId'), readText(form, 'subject')];
    if (isById && userId !== undefined) adding.mutate({ userId }, { onSuccess: onClose });
    const named = { issuer: readText(form, 'issuer') ?? issuer, subject: String(subject) };
    if (!isById && subject !== undefined) adding.mutate(named, { onSuccess: onClose });
  };
  return (
    <Dialog title={text.addUser} actions={null} onClose={onClose}>
      <Form
        onSubmit={submit}
        faults={others}
        actions={
          <>
            <Button onClick={onClose}>{text.cancel}</Button>
            <Button type="submit" look="primary" busy={adding.isPending}>
              {text.addUserDo}
            </Button>
          </>
        }
      >
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
            <Field label={text.subject} name="subject" required maxLength={255} fault={atFields.get('/subject')} />
            <Field
              label={text.issuer}
              name="issuer"
              required
              maxLength={500}
              defaultValue={issuer}
              fault={atFields.get('/issuer')}
            />
          </>
        )}
        {adding.error && atFields.size + others.length === 0 && <Failure error={adding.error} />}
      </Form>
    </Dialog>
  );
}
