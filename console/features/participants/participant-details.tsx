import { useAnswer } from '../../answers.ts';
import { type AnswerOf, api } from '../../api.ts';
import { strings as common } from '../../common-strings.ts';
import { Fact } from '../../components/fact.tsx';
import { MailLink } from '../../components/person.tsx';
import { Badge } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { useStudy } from '../../study-context.ts';
import { AgreedTo } from '../enrolment/agreed-to.tsx';
import { Seen } from './participant-status.tsx';
import { strings } from './participant-strings.ts';
import { ZoneHistory } from './zone-history.tsx';

const route = api.investigation[':id'].member[':user'];
export type Details = AnswerOf<typeof route.$get>;

/** The settings and phones behind a person's reminders; the service refuses those of former members. */
export function useDetails(user: string) {
  const id = useStudy().id;
  return useAnswer(['member', id, user], (options) => route.$get({ param: { id, user } }, options));
}

/** A person's zone, times, pauses and phones. */
export function DetailsCard({ user, details }: { user: string; details: Details }) {
  const { timeZone, customRemindersTime, quietHours, joinedAt, devices } = details;
  return (
    <section class="card" aria-labelledby="details">
      <h2 id="details">{strings.details}</h2>
      <dl class="facts">
        <Fact term={strings.timeZone}>{timeZone}</Fact>
        <Fact term={strings.remindersTime}>
          {customRemindersTime === null ? strings.noRemindersTime : strings.theirTime(customRemindersTime)}
        </Fact>
        <Fact term={strings.quietHours}>
          {quietHours ? strings.fromTo(quietHours.from, quietHours.to) : strings.noQuietHours}
        </Fact>
        <Fact term={strings.pauses}>
          <Pauses {...details} />
        </Fact>
        <Fact term={strings.joined}>
          <Time at={joinedAt} />
        </Fact>
      </dl>
      <ZoneHistory user={user} />
      <h3>{strings.phones}</h3>
      {devices.length === 0 ? (
        <p class="muted">{strings.noPhones}</p>
      ) : (
        <ul class="phones">
          {devices.map(({ identifier, platform, timeZone, enabled, lastSeenAt }) => (
            <li key={identifier}>
              <span dir="auto">{strings.phone(platform, identifier)}</span>
              <Badge tone={enabled ? 'good' : 'bad'}>{enabled ? strings.enabled : strings.disabled}</Badge>
              <span class="muted">
                {timeZone !== null && `${timeZone}, `}
                {strings.lastSeen} <Seen at={lastSeenAt} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** A person's code, and for owners the link to write to them. */
export const Contact = ({ name, code, invitedAs, enrolment, agreedTo }: Details) =>
  (code !== undefined || invitedAs !== undefined || enrolment) && (
    <p class="participant-status">
      {code !== undefined && (
        <span>
          {common.code}: <bdi class="code">{code}</bdi>
        </span>
      )}
      {enrolment && <span>{strings.enrolledBy(enrolment.label)}</span>}
      {enrolment && <AgreedTo hash={agreedTo ?? null} />}
      {invitedAs !== undefined && (
        <span>
          {strings.invitedAs} <bdi>{invitedAs}</bdi>
          <MailLink name={name} address={invitedAs} />
        </span>
      )}
    </p>
  );

/** In the participant's zone, which the card names. */
function Pauses({ pausedUntil, studyPausedUntil, timeZone }: Details) {
  const pauses = [
    { of: strings.allReminders, until: pausedUntil },
    { of: strings.thisStudy, until: studyPausedUntil },
  ].filter(({ until }) => until !== undefined);
  if (pauses.length === 0) return <>{strings.noPauses}</>;
  return (
    <ul class="plain-list">
      {pauses.map(({ of, until }) => (
        <li key={of}>
          {of} {until ? <Time at={until} zone={timeZone} /> : strings.withoutEnd}
        </li>
      ))}
    </ul>
  );
}
