import { useAnswer } from '../../answers.ts';
import { isProblem } from '../../api.ts';
import { Badge } from '../../components/states.tsx';
import { formatDistance, formatExactTime, formatTime } from '../../format.ts';
import { useStudy } from '../../study-context.ts';
import { compliance, notSent, type Participant } from './participant-counts.ts';
import { strings } from './participant-list-strings.ts';

/** Why somebody needs attention. */
export const AttentionBadges = ({
  attention,
  pausedUntil,
}: Pick<Participant, 'attention' | 'pausedUntil'>) => (
  <span class="badges">
    {attention.map((reason) => (
      <Badge key={reason} tone={reason === 'unreachable' ? 'bad' : 'warn'}>
        {reason === 'paused'
          ? strings.pausedUntil(pausedUntil && formatTime(pausedUntil))
          : strings.reasons[reason]}
      </Badge>
    ))}
  </span>
);

export const Seen = ({ at }: { at: string | null }) =>
  at === null ? (
    <span class="muted">{strings.never}</span>
  ) : (
    <time dateTime={at} title={formatExactTime(at)}>
      {formatDistance(at)}
    </time>
  );

/** A person's present state, and their counts of the last 28 days. */
export function ParticipantStatus({ user }: { user: string }) {
  const id = useStudy().id;
  const { data, error } = useAnswer(['participant-status', id, user], (options) =>
    compliance.$get({ param: { id }, query: { user } }, options),
  );
  if (isProblem(error, 'resource.not-found')) return <p class="note">{strings.former}</p>;
  if (!data) return null;
  const [row] = data.participants;
  if (!row) return <p class="note">{strings.takesNoPart}</p>;
  return (
    <div class="participant-status">
      {row.reachable && <Badge tone="good">{strings.reachable}</Badge>}
      {row.attention.length > 0 && <AttentionBadges {...row} />}
      <span>
        {strings.lastSeen}: <Seen at={row.lastSeenAt} />
      </span>
      <span>
        {strings.lastAnswered}: <Seen at={row.lastAnsweredAt} />
      </span>
      <span>{strings.inPeriod(row.due, row.sent, notSent(row), row.answered)}</span>
    </div>
  );
}
