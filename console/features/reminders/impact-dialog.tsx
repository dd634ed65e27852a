import { useState } from 'preact/hooks';
import type { Api } from '../../../client/client.ts';
import { useAnswer } from '../../answers.ts';
import { type AnswerOf, api } from '../../api.ts';
import { strings as common } from '../../common-strings.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Icon, type IconName } from '../../components/icon.tsx';
import { Unread } from '../../components/states.tsx';
import { ChangeEffects } from './change-effect.tsx';
import { describeReminders } from './describe.ts';
import type { GivenReminders, Reminders } from './reminder-draft.ts';
import { strings } from './reminder-strings.ts';
import { useChangeEffect } from './use-change-effect.ts';

type Reach = AnswerOf<Api['survey'][':id']['reminders']['reach']['$get']>;

interface Change {
  survey: string;
  before: Reminders | null;
  after: GivenReminders | null;
}

/** Whether to save, and whether people who were reminded today are reminded again. */
export interface Answer {
  go: boolean;
  again: boolean;
}

/** Shows how many people a change affects and how, before it is saved. */
export function ImpactDialog({ change, answer }: { change: Change; answer: (answer: Answer) => void }) {
  const { survey, before, after } = change;
  const { impact } = strings;
  const { data, error, reload } = useAnswer(['reach', survey], (options) =>
    api.survey[':id'].reminders.reach.$get({ param: { id: survey } }, options),
  );
  const [again, setAgain] = useState(false);
  const counting = useChangeEffect(survey, { reminders: after }, again);
  return (
    <Dialog title={after ? impact.title : impact.removeTitle} onClose={() => answer({ go: false, again })}>
      <dl class="before-after">
        <dt>{impact.before}</dt>
        <dd>{before ? describeReminders(before) : impact.none}</dd>
        <dt>{impact.after}</dt>
        <dd>{after ? describeReminders(after) : impact.none}</dd>
      </dl>
      {after?.clock !== 'study' && <p class="hint">{impact.ownClock}</p>}
      {after && <Effects icon="clock" texts={waitingOf(after)} />}
      {data ? (
        <Effects icon="people" texts={effectsOf(change, data)} />
      ) : (
        <Unread error={error} reload={reload} />
      )}
      <ChangeEffects counting={counting} again={again} onAgain={setAgain} />
      <div class="form-buttons">
        <Button onClick={() => answer({ go: false, again })}>{common.cancel}</Button>
        <Button
          kind={after ? 'primary' : 'danger'}
          disabled={!data}
          onClick={() => answer({ go: true, again })}
        >
          {after ? impact.go : impact.stop}
        </Button>
      </div>
    </Dialog>
  );
}

const Effects = ({ icon, texts }: { icon: IconName; texts: readonly string[] }) => (
  <ul class="effects">
    {texts.map((text) => (
      <li key={text}>
        <Icon name={icon} />
        <span>{text}</span>
      </li>
    ))}
  </ul>
);

/** The effect of an answer on the same day, and how long a reminder waits for one. */
function waitingOf({ unlessAnswered, expiresAfter = 360, windows, minGap = 30 }: GivenReminders): string[] {
  const { impact } = strings;
  const slots = windows?.reduce((sum, { count = 1 }) => sum + count, 0) ?? 1;
  return [
    unlessAnswered ? impact.unlessAnswered(slots > 1) : impact.always,
    slots === 1
      ? impact.expires(expiresAfter)
      : expiresAfter < minGap
        ? impact.expiresBefore(expiresAfter)
        : impact.overlaps(expiresAfter, minGap),
  ];
}

function effectsOf(
  { before, after }: Change,
  { members, counted, participants, downloaded, pending }: Reach,
): string[] {
  const { impact } = strings;
  return [
    after && (isDownloaded(after) ? impact.downloaded(downloaded, participants) : impact.all(participants)),
    after?.from === 'joined' && impact.joined,
    typeof after?.from === 'object' && impact.dated(after.from.date),
    before && (after ? impact.pending(pending) : impact.pendingGone(pending)),
    before && after && sameTimes(before, after) && impact.textOnly,
    before && after && isDrawn(before) && isDrawn(after) && impact.redraw,
    counted < members && impact.counted(counted, members),
  ].filter((effect) => typeof effect === 'string');
}

const isDownloaded = ({ type, from = 'download' }: GivenReminders) => type === 'fixed' && from === 'download';

const isDrawn = ({ windows, pick }: Reminders | GivenReminders) =>
  windows !== undefined || pick !== undefined;

const sameTimes = (before: Reminders, after: GivenReminders) =>
  describeReminders({ ...before, followUps: null }) === describeReminders({ ...after, followUps: null });
