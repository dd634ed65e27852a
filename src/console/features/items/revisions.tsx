import { usePages } from '../../answers.ts';
import { type AnswerOf, api } from '../../api.ts';
import { strings as common } from '../../common-strings.ts';
import { Button } from '../../components/button.tsx';
import { ProblemNote } from '../../components/problem-note.tsx';
import { Time } from '../../components/time.tsx';
import { fromUnix } from '../../format.ts';
import { personIn, type Question, usePeople } from '../../names.ts';
import { strings } from './item-strings.ts';
import { answerIn, shorten } from './response-content.ts';

const route = api.response[':id'];
type Revision = AnswerOf<typeof route.revisions.$get>['revisions'][number];

/** The revisions of a response. */
export function Revisions({ id, items }: { id: string; items: readonly Question[] }) {
  const list = usePages(['revisions', id], (cursor, signal) =>
    route.revisions.$get({ param: { id }, query: { limit: '20', cursor } }, { init: { signal } }),
  );
  const all = list.data?.flatMap(({ revisions }) => revisions) ?? [];
  const people = usePeople(all.map(({ author }) => author));
  return (
    <section class="revisions">
      <h2>{strings.response.revisions}</h2>
      <p class="muted">{strings.response.revisionsAbout}</p>
      {list.error !== undefined && <ProblemNote error={list.error} onRetry={list.reload} />}
      <ol class="timeline">
        {all.map((revision, n) => (
          <RevisionEntry
            key={revision.identifier}
            revision={revision}
            before={all[n + 1]}
            // The revision before the last one is not read yet.
            isFirst={n === all.length - 1 && !list.hasMore}
            items={items}
            author={personIn(people, revision.author)}
          />
        ))}
      </ol>
      {list.hasMore && (
        <Button busy={list.loading} onClick={list.more}>
          {common.more}
        </Button>
      )}
    </section>
  );
}

function RevisionEntry({
  revision,
  before,
  isFirst,
  items,
  author,
}: {
  revision: Revision;
  before: Revision | undefined;
  isFirst: boolean;
  items: readonly Question[];
  author: string;
}) {
  const labelOf = (key: string) => items.find(({ identifier }) => identifier === key)?.label ?? key;
  const changed = changedKeys(revision.items, before?.items);
  const recoded = changedKeys(revision.reasons, before?.reasons);
  return (
    <li>
      <p>
        <Time at={fromUnix(revision.revisionDate)} />{' '}
        <span class="muted" dir="auto">
          {author}
        </span>
      </p>
      {revision.reason !== undefined && <p dir="auto">{strings.response.why(revision.reason)}</p>}
      {isFirst ? (
        <p class="muted">
          {strings.response.first}
          {revision.givenAt && (
            <>
              , {strings.response.givenOffline} <Time at={revision.givenAt} />
            </>
          )}
        </p>
      ) : (
        before && (
          <ul>
            {changed.map((key) => (
              <li key={key} dir="auto">
                {labelOf(key)}: <del>{shorten(answerIn(items, key, before.items))}</del>{' '}
                <ins>{shorten(answerIn(items, key, revision.items))}</ins>
              </li>
            ))}
            {recoded.map((key) => (
              <li key={`code ${key}`} dir="auto">
                {strings.response.code(labelOf(key))}: <del>{codeOf(before.reasons[key])}</del>{' '}
                <ins>{codeOf(revision.reasons[key])}</ins>
              </li>
            ))}
          </ul>
        )
      )}
    </li>
  );
}

const changedKeys = (now: Record<string, unknown>, before: Record<string, unknown> = {}) =>
  [...new Set([...Object.keys(now), ...Object.keys(before)])].filter((key) => now[key] !== before[key]);

const codeOf = (code: number | undefined) => (code === undefined ? strings.response.noCode : code);
