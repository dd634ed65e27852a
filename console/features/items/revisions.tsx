import { labelOf } from '../../answer-labels.ts';
import { usePages } from '../../answers.ts';
import { api } from '../../api.ts';
import { strings as common } from '../../common-strings.ts';
import { Button } from '../../components/button.tsx';
import { ProblemNote } from '../../components/problem-note.tsx';
import { Time } from '../../components/time.tsx';
import { fromUnix } from '../../format.ts';
import { personIn, type Question, usePeople } from '../../names.ts';
import { strings } from './item-strings.ts';
import { type Revision, shorten } from './response-content.ts';
import { askedAs, type Wording } from './wordings.ts';

const route = api.response[':id'];
/** The revisions of a response, as far as they are loaded. */
export function useRevisions(id: string) {
  const list = usePages(['revisions', id], (cursor, options) =>
    route.revisions.$get({ param: { id }, query: { limit: '20', cursor } }, options),
  );
  return { ...list, all: list.data?.flatMap(({ revisions }) => revisions) ?? [] };
}

/** The wording of an item as it was asked for the answer of a revision. */
type WordingOf = (n: number, key: string) => Wording | undefined;

/** The revisions of a response. */
export function Revisions({
  list,
  items,
  wordingOf,
}: {
  list: ReturnType<typeof useRevisions>;
  items: readonly Question[];
  wordingOf: WordingOf;
}) {
  const { all } = list;
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
            askedIn={(beside, key) => askedAs(key, wordingOf(n + beside, key), items)}
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
  askedIn,
  author,
}: {
  revision: Revision;
  before: Revision | undefined;
  isFirst: boolean;
  /** The item as this revision was asked (0), or the one before it (1). */
  askedIn: (beside: 0 | 1, key: string) => Question | undefined;
  author: string;
}) {
  const questionOf = (key: string) => (askedIn(0, key) ?? askedIn(1, key))?.label || key;
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
                {questionOf(key)}: <del>{shorten(labelOf(askedIn(1, key), before.items[key] ?? ''))}</del>{' '}
                <ins>{shorten(labelOf(askedIn(0, key), revision.items[key] ?? ''))}</ins>
              </li>
            ))}
            {recoded.map((key) => (
              <li key={`code ${key}`} dir="auto">
                {strings.response.code(questionOf(key))}: <del>{codeOf(before.reasons[key])}</del>{' '}
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
