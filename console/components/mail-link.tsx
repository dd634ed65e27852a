import { strings } from '../common-strings.ts';
import { Icon } from './icon.tsx';

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
