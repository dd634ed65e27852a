import { strings } from '../common-strings.ts';
import { Icon } from './icon.tsx';

/** Decoration: the name stands beside it. */
export const Avatar = ({ user }: { user: string }) => (
  <img class="avatar" src={`/user/${user}/avatar`} alt="" width="28" height="28" loading="lazy" />
);

/** A person's name, and their code in the study if they have one. */
export const Coded = ({ name, code }: { name: string; code?: string | undefined }) => (
  <>
    <bdi>{name}</bdi>
    {code !== undefined && (
      <>
        {' '}
        <bdi class="code">{code}</bdi>
      </>
    )}
  </>
);

/** A link that writes to a person by the viewer's own e-mail program. */
export const MailLink = ({ name, address }: { name: string; address: string }) => (
  <a
    class="mail"
    href={`mailto:${encodeURIComponent(address)}`}
    title={address}
    aria-label={strings.mailTo(name)}
  >
    <Icon name="mail" />
  </a>
);
