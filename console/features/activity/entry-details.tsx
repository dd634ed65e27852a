import { useState } from 'preact/hooks';
import { usePages } from '../../answers.ts';
import { api } from '../../api.ts';
import { strings as common } from '../../common-strings.ts';
import { Button } from '../../components/button.tsx';
import { ProblemNote } from '../../components/problem-note.tsx';
import { usePeople, useSurveyNames } from '../../names.ts';
import type { Entry } from '../../study-changes.ts';
import { useStudy } from '../../study-context.ts';
import { strings } from './activity-strings.ts';
import { changedFields, textOf } from './changed-fields.ts';

/** The change of one person, of an entry about many. */
interface MemberChange {
  member: string;
  before: unknown;
  after: unknown;
}

/** People of an entry about many who are listed. */
const maxListed = 100;

/** The details of an entry: changes, items, and its place in the chain. */
export function EntryDetails({ entry }: { entry: Entry }) {
  const { position, hash, details = {} } = entry;
  const { before, after, items: _, members, salt: __, ...rest } = details;
  const changed = Array.isArray(members) ? (members as unknown as MemberChange[]) : [];
  const listed = changed.slice(0, maxListed);
  const value = entry.action.startsWith('member.') ? roleOf : String;
  const people = usePeople(
    [rest.member, rest.invitedBy, ...listed.map(({ member }) => member)].filter(isIdentifier),
  );
  const changes = [
    ...changedFields(before, after).map((change) => ({ ...change, key: change.name })),
    ...listed.flatMap(({ member, ...of }) =>
      changedFields(of.before, of.after).map(({ name, ...change }) => ({
        ...change,
        key: `${member} ${name}`,
        name: `${people.get(member) ?? member}: ${name}`,
      })),
    ),
  ];
  const surveys = useSurveyNames([rest.survey].filter(isIdentifier));
  const shown = (name: string, value: unknown) =>
    (name === 'code' && strings.codes[String(value)]) ||
    (isIdentifier(value) && (people.get(value) ?? surveys.get(value))) ||
    textOf(value);
  return (
    <div class="entry-details">
      {changes.length > 0 && (
        <table>
          <thead>
            <tr>
              <td />
              <th scope="col">{strings.before}</th>
              <th scope="col">{strings.after}</th>
            </tr>
          </thead>
          <tbody>
            {changes.map(({ key, name, from, to }) => (
              <tr key={key}>
                <th scope="row" dir="auto">
                  {name}
                </th>
                <td data-label={strings.before}>
                  <bdi>{value(from)}</bdi>
                </td>
                <td data-label={strings.after}>
                  <bdi>{value(to)}</bdi>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {entry.redacted && <p class="muted">{strings.redacted}</p>}
      {changed.length > maxListed && <p class="muted">{strings.moreMembers(changed.length - maxListed)}</p>}
      <dl>
        {Object.entries(rest).map(([name, value]) => (
          <div key={name}>
            <dt>{strings.fields[name] ?? name}</dt>
            <dd dir="auto">{shown(name, value)}</dd>
          </div>
        ))}
        <div>
          <dt>{strings.position}</dt>
          <dd>{position}</dd>
        </div>
        <div>
          <dt>{strings.hash}</dt>
          <dd>
            <code>{hash}</code>
          </dd>
        </div>
      </dl>
      {entry.action.startsWith('items.') && <ChangedItems entry={entry.identifier} />}
    </div>
  );
}

const roles: Record<string, string> = common.roles;

const roleOf = (text: string) => roles[text] ?? text;

export const isIdentifier = (value: unknown): value is string =>
  typeof value === 'string' && /^[0-9a-f]{32}$/.test(value);

/** The items, loaded on demand: there may be 100,000. */
function ChangedItems({ entry }: { entry: string }) {
  const [open, setOpen] = useState(false);
  return open ? (
    <ItemLinks entry={entry} />
  ) : (
    <Button onClick={() => setOpen(true)}>{strings.showItems}</Button>
  );
}

function ItemLinks({ entry }: { entry: string }) {
  const { study, screenPath } = useStudy();
  const list = usePages(['entry-items', entry], (cursor, options) =>
    api.investigation[':id'].activity[':entry'].items.$get(
      { param: { id: study.identifier, entry }, query: { limit: '100', cursor } },
      options,
    ),
  );
  const cases = list.data?.flatMap((page) => page.cases) ?? [];
  const responses = list.data?.flatMap((page) => page.responses) ?? [];
  return (
    <>
      <p class="muted">{strings.changedItems}</p>
      {list.error !== undefined && <ProblemNote error={list.error} onRetry={list.reload} />}
      <ul class="item-links">
        {cases.map(({ identifier }, n) => (
          <li key={identifier}>
            <a href={screenPath(`/data/cases/${identifier}`)}>{strings.case(n + 1)}</a>
          </li>
        ))}
        {responses.map(({ identifier }, n) => (
          <li key={identifier}>
            <a href={screenPath(`/data/responses/${identifier}`)}>{strings.response(n + 1)}</a>
          </li>
        ))}
      </ul>
      {list.hasMore && (
        <Button busy={list.loading} onClick={list.more}>
          {common.more}
        </Button>
      )}
    </>
  );
}
