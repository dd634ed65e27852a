import { useState } from 'preact/hooks';
import { Button } from '../../components/button.tsx';
import { Coded } from '../../components/person.tsx';
import { as } from '../../components/table-roles.ts';
import { TimeList } from '../../components/time-list.tsx';
import { useSurveys } from '../../names.ts';
import { useStudy } from '../../study-context.ts';
import { strings } from './dates-strings.ts';
import type { Moved } from './use-dates-effect.ts';

/** Rows that are shown at first. */
const few = 30;

/** Reminders before and after a change of dates; `people` names the persons, unless it is about one. */
export function MovedReminders({
  moved,
  people,
}: {
  moved: readonly Moved[];
  people?: ReadonlyMap<string, { name: string; code?: string | undefined }>;
}) {
  const { study } = useStudy();
  const surveys = useSurveys(study.identifier);
  const [all, setAll] = useState(false);
  if (moved.length === 0) return null;
  const nameOf = (survey: string) => surveys.find(({ identifier }) => identifier === survey)?.name ?? '';
  return (
    <>
      <table {...as.table} class="moved">
        <caption>{strings.effect(study.timeZone)}</caption>
        <thead {...as.rows}>
          <tr {...as.row}>
            {people && (
              <th {...as.column} scope="col">
                {strings.person}
              </th>
            )}
            <th {...as.column} scope="col">
              {strings.survey}
            </th>
            <th {...as.column} scope="col">
              {strings.before}
            </th>
            <th {...as.column} scope="col">
              {strings.after}
            </th>
          </tr>
        </thead>
        <tbody {...as.rows}>
          {moved.slice(0, all ? undefined : few).map(({ user, survey, before, after }) => (
            <tr {...as.row} key={`${user} ${survey}`}>
              {people && (
                <th {...as.name} scope="row">
                  <Coded name={people.get(user)?.name ?? ''} code={people.get(user)?.code} />
                </th>
              )}
              <td {...as.cell}>
                <bdi>{nameOf(survey)}</bdi>
              </td>
              <td {...as.cell} data-label={strings.before}>
                <TimeList list={before} zone={study.timeZone} none={strings.noReminders} />
              </td>
              <td {...as.cell} data-label={strings.after}>
                <TimeList list={after} zone={study.timeZone} none={strings.noReminders} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {moved.length > few && !all && (
        <Button onClick={() => setAll(true)}>{strings.showAll(moved.length)}</Button>
      )}
    </>
  );
}
