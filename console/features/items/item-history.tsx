import { usePages } from '../../answers.ts';
import { api } from '../../api.ts';
import { strings as common } from '../../common-strings.ts';
import { Button } from '../../components/button.tsx';
import { Coded } from '../../components/person.tsx';
import { ProblemNote } from '../../components/problem-note.tsx';
import { Loading } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { useStudy } from '../../study-context.ts';
import { strings } from './item-strings.ts';

const { history } = strings;

/** The entries of the log about one item, for its readers. */
export function ItemHistory({ id }: { id: string }) {
  const { can } = useStudy();
  return can('readAll') ? <Entries id={id} /> : null;
}

function Entries({ id }: { id: string }) {
  const { study, screenPath } = useStudy();
  const list = usePages(['item-history', id], (cursor, options) =>
    api.investigation[':id'].activity.$get(
      { param: { id: study.identifier }, query: { item: id, limit: '20', cursor } },
      options,
    ),
  );
  const entries = list.data?.flatMap(({ activities }) => activities) ?? [];
  const codes = new Map(list.data?.flatMap((page) => Object.entries(page.codes ?? {})));
  return (
    <section class="revisions" aria-labelledby="item-history">
      <h2 id="item-history">{history.title}</h2>
      <p class="muted">{history.about}</p>
      {list.error !== undefined && <ProblemNote error={list.error} onRetry={list.reload} />}
      {!list.data && list.error === undefined && <Loading />}
      {list.data && entries.length === 0 && <p>{list.hasMore ? history.noneYet : history.none}</p>}
      {entries.length > 0 && (
        <ol class="timeline">
          {entries.map(({ identifier, action, at, actor, actorName, reason, signature }) => (
            <li key={identifier}>
              <p>
                {history.actions[action] ?? action} <Time at={at} />{' '}
                <span class="muted">
                  {strings.lockedBy} <Coded name={actorName || common.formerMember} code={codes.get(actor)} />
                </span>
              </p>
              {reason !== undefined && <p dir="auto">{strings.quoted(reason)}</p>}
              {signature && (
                <p class="muted" dir="auto">
                  {strings.signed(signature.name, signature.meaning)}
                </p>
              )}
            </li>
          ))}
        </ol>
      )}
      <p class="row-actions">
        {list.hasMore && (
          <Button busy={list.loading} onClick={list.more}>
            {history.older}
          </Button>
        )}
        <a class="button plain" href={screenPath(`/activity?item=${id}`)}>
          {history.log}
        </a>
      </p>
    </section>
  );
}
