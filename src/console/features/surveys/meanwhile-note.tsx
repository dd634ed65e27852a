import { useEffect, useState } from 'preact/hooks';
import { api, type Revised, revised, type Survey } from '../../api.ts';
import { Button } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { formatDistance } from '../../format.ts';
import { useStudy } from '../../study-context.ts';
import { strings } from './meanwhile-strings.ts';

/** What somebody else has made of a survey since it was read. */
export interface Theirs extends Revised<Survey> {
  who?: { name: string; at: string };
}

const pollMs = 20_000;

/**
 * Looks now and then, and when the window is looked at again, whether somebody has changed the survey; `look` does it at
 * once.
 */
export function useMeanwhile({ value, etag }: Revised<Survey>) {
  const { study } = useStudy();
  const [theirs, setTheirs] = useState<Theirs>();
  const id = value.identifier;
  async function look() {
    const found = await revised(await api.survey[':id'].$get({ param: { id } })).json();
    if (found.etag === etag) return setTheirs(undefined);
    if (found.etag === theirs?.etag) return;
    const who = await whoChanged(study.identifier, id);
    setTheirs({ ...found, ...(who && { who }) });
  }
  useEffect(() => {
    // A failure is the business of whoever saves.
    const quietly = () => void look().catch(() => {});
    const timer = setInterval(quietly, pollMs);
    window.addEventListener('focus', quietly);
    return () => {
      clearInterval(timer);
      window.removeEventListener('focus', quietly);
    };
  }, [id, etag, theirs?.etag]);
  return { theirs: theirs?.etag === etag ? undefined : theirs, look };
}

/** Who the activity log says it was. */
async function whoChanged(study: string, survey: string): Promise<Theirs['who']> {
  const answer = await api.investigation[':id'].activity.$get({
    param: { id: study },
    query: { limit: '20' },
  });
  const { activities } = await answer.json();
  const entry = activities.find(
    ({ details }) => (details as { survey?: unknown } | undefined)?.survey === survey,
  );
  return entry && { name: entry.actorName, at: entry.at };
}

/** Says so, and asks what is to become of both. */
export function MeanwhileNote({
  theirs: { who },
  what,
  onLoad,
  onKeep,
}: {
  theirs: Theirs;
  what: string;
  onLoad: () => void;
  onKeep: () => void;
}) {
  return (
    <div class="note warn meanwhile" role="alert">
      <Icon name="warning" />
      <div>
        <p>
          <bdi>{who ? strings.by(who.name, formatDistance(who.at)) : strings.somebody}</bdi>
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
