import { useState } from 'preact/hooks';
import { api, type Revised, revised, type Survey } from '../../api.ts';
import { Button } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { formatDistance } from '../../format.ts';
import { type Entry, latestEntries, useStudyChanges } from '../../study-changes.ts';
import { useStudy } from '../../study-context.ts';
import { strings } from './meanwhile-strings.ts';

/** The survey as somebody else has saved it meanwhile. */
export interface Theirs extends Revised<Survey> {
  who?: { name: string; at: string };
}

/** Notices that somebody else has changed the survey; `look` checks at once. */
export function useMeanwhile({ value, etag }: Revised<Survey>) {
  const { study } = useStudy();
  const [theirs, setTheirs] = useState<Theirs>();
  const id = value.identifier;
  async function check() {
    const latest = await revised(await api.survey[':id'].$get({ param: { id } })).json();
    if (latest.etag === etag) return setTheirs(undefined);
    if (latest.etag === theirs?.etag) return;
    const who = await whoChanged(study.identifier, id);
    setTheirs({ ...latest, ...(who && { who }) });
  }
  // A failed check is repeated when the form is saved.
  const quietly = () => void check().catch(() => {});
  useStudyChanges((news) => {
    if (news.has('survey', id)) quietly();
  }, quietly);
  return { theirs: theirs?.etag === etag ? undefined : theirs, check };
}

const surveyOf = ({ details }: Entry) => (details as { survey?: unknown } | undefined)?.survey;

/** The author of the change, by the activity log. */
async function whoChanged(study: string, survey: string): Promise<Theirs['who']> {
  const activities = await latestEntries(study);
  const entry = activities.find((activity) => surveyOf(activity) === survey);
  return entry && { name: entry.actorName, at: entry.at };
}

/** The author of the change, and its time. */
export const titleOf = ({ who }: Theirs) =>
  who ? strings.by(who.name, formatDistance(who.at)) : strings.somebody;

/** Shows the other person's change, and asks which version to continue with. */
export function MeanwhileNote({
  title,
  what,
  onLoad,
  onKeep,
}: {
  title: string;
  what: string;
  onLoad: () => void;
  onKeep: () => void;
}) {
  return (
    <div class="note warn meanwhile" role="alert">
      <Icon name="warning" />
      <div>
        <p>
          <bdi>{title}</bdi>
        </p>
        <p>{what}</p>
        <div class="note-buttons">
          <Button onClick={onLoad}>{strings.load}</Button>
          <Button onClick={onKeep}>{strings.keep}</Button>
        </div>
      </div>
    </div>
  );
}
