import type { ComponentChildren } from 'preact';
import { useAnswer } from '../../answers.ts';
import { api, read } from '../../api.ts';
import { Icon, type IconName } from '../../components/icon.tsx';
import { Coded, MailLink } from '../../components/person.tsx';
import { type Part, usePart } from '../../components/property-filter.tsx';
import { Unread } from '../../components/states.tsx';
import { formatNumber } from '../../format.ts';
import type { RequestOptions } from '../../list-pages.ts';
import { useStudy } from '../../study-context.ts';
import { type Attention, attentions, compliance } from '../participants/participant-counts.ts';
import { Late, readLateness } from './late-reminders.tsx';
import { strings } from './overview-strings.ts';
import { sumOf } from './plot.tsx';
import type { Day } from './series.ts';

/** Most invitations that are counted. */
const limit = 100;
const maxNames = 3;
const icons: Record<Attention, IconName> = {
  unreachable: 'phone',
  silent: 'bell',
  paused: 'clock',
  'never-downloaded': 'download',
  'date-missing': 'clock',
};

/** The reasons for attention, with the people concerned. */
async function readExceptions(id: string, filter: Part['filter'], options: RequestOptions) {
  const [members, lateBy, { attention }] = await Promise.all([
    read(
      api.investigation[':id'].members.$get(
        { param: { id }, query: { limit: String(limit), ...filter } },
        options,
      ),
    ),
    readLateness(options),
    read(compliance.attention.$get({ param: { id }, query: filter }, options)),
  ]);
  // The oldest invitation first.
  const emails = members.invitations
    .toSorted((a, b) => a.invitedAt.localeCompare(b.invitedAt))
    .map(({ email }) => email);
  return {
    lateBy,
    isAlone: members.members.length < 2,
    // A page with a cursor may continue with members only.
    invitations: { emails, more: emails.length === limit && members.next !== undefined },
    groups: attentions.flatMap((reason) => attention.find((group) => group.reason === reason) ?? []),
  };
}

export function useExceptions() {
  const id = useStudy().id;
  const { filter } = usePart();
  return useAnswer(['exceptions', id, filter], async (options) => ({
    json: () => readExceptions(id, filter, options),
  }));
}

type Props = ReturnType<typeof useExceptions> & {
  /** The last 28 days, once they are read. */
  days: readonly Day[] | undefined;
};

/** Whether somebody can be worked through. */
export const isWaiting = (data: Props['data'], days: Props['days']): boolean =>
  data !== undefined &&
  (data.groups.some(({ count }) => count > 0) ||
    data.invitations.emails.length > 0 ||
    sumOf(days ?? [], 'failed') > 0);

/** Everything that needs attention, each with its next step. */
export function Exceptions({ data, error, reload, days }: Props) {
  const { screenPath } = useStudy();
  const { search } = usePart();
  if (!data) return <Unread error={error} reload={reload} />;
  const { groups, invitations, lateBy } = data;
  const { emails } = invitations;
  const failed = sumOf(days ?? [], 'failed');
  const open = groups.filter(({ count }) => count > 0);
  const isQuiet = open.length === 0 && failed === 0 && emails.length === 0 && !lateBy;
  return (
    <>
      {lateBy && <Late causes={lateBy} onAgain={reload} />}
      {isQuiet && (
        <p class="note good">
          <Icon name="check" />
          <span>
            <strong>{strings.nobody}.</strong> {aboutAnswers(days)}
          </span>
        </p>
      )}
      <ul class="exceptions">
        {open.map(({ reason, count, more, first }) => (
          <Exception
            key={reason}
            icon={icons[reason]}
            texts={strings.exceptions[reason]}
            count={strings.atLeast(count, more)}
            href={screenPath(`/participants?attention=${reason}${search}`)}
          >
            <Names
              names={first.map(({ user, name, code, invitedAs }) => (
                <span key={user}>
                  <a href={screenPath(`/participants/${user}`)}>
                    <Coded name={name} code={code} />
                  </a>
                  {invitedAs !== undefined && <MailLink name={name} address={invitedAs} />}
                </span>
              ))}
              count={count}
              more={more}
            />
          </Exception>
        ))}
        {failed > 0 && (
          <Exception
            icon="warning"
            texts={{ ...strings.failed, title: strings.failed.title(failed) }}
            count={formatNumber(failed)}
            href={screenPath(`/participants?attention=failed${search}`)}
          />
        )}
        {emails.length > 0 && (
          <Exception
            icon="mail"
            texts={{ ...strings.invitations, title: strings.invitations.title(emails.length) }}
            count={strings.atLeast(emails.length, invitations.more)}
            href={screenPath('/members#invitations')}
          >
            <Names
              names={emails.map((email) => <bdi key={email}>{email}</bdi>)}
              count={emails.length}
              more={invitations.more}
            />
          </Exception>
        )}
      </ul>
    </>
  );
}

const aboutAnswers = (days: readonly Day[] | undefined) =>
  days === undefined
    ? strings.reachable
    : sumOf(days, 'answered') > 0
      ? strings.answering
      : strings.nobodyAnswered;

function Exception({
  icon,
  texts: { title, about, next },
  count,
  href,
  children,
}: {
  icon: IconName;
  texts: { title: string; about: string; next: string };
  count: string;
  href: string;
  children?: ComponentChildren;
}) {
  return (
    <li class="card exception">
      <h3>
        <Icon name={icon} />
        <span>
          <strong>{count}</strong> {title}
        </span>
      </h3>
      {children}
      <p class="muted">{about}</p>
      <a href={href}>{next}</a>
    </li>
  );
}

/** The first few of `count` names. */
const Names = ({
  names,
  count,
  more,
}: {
  names: readonly ComponentChildren[];
  count: number;
  more: boolean;
}) => (
  <p>
    {names.slice(0, maxNames).map((name, n) => [n > 0 && ', ', name])}
    {count > maxNames && ` ${strings.andOthers(count - maxNames, more)}`}
  </p>
);
