import { strings as common } from '../../common-strings.ts';
import { Icon } from '../../components/icon.tsx';
import { strings } from './reminder-strings.ts';

/** Roughly how a phone shows a notification. */
export const PhonePreview = ({ subject, body }: { subject: string; body: string }) => (
  <figure class="phone-note">
    <figcaption class="hidden-label">{strings.shownAs}</figcaption>
    <span class="brand-mark">
      <Icon name="bell" />
    </span>
    <div>
      <p class="phone-app">{common.product}</p>
      <p class="phone-subject" dir="auto">
        {subject || strings.subject}
      </p>
      <p dir="auto">{body || strings.body}</p>
    </div>
  </figure>
);
