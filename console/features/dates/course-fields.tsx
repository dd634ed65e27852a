import { DateField, Group } from '../../components/form.tsx';
import { useStudy } from '../../study-context.ts';
import { type Course, courseFields } from './courses.ts';
import { strings } from './dates-strings.ts';

/** The fields of somebody's dates and time, which `courseIn` reads. `pointer` leads to them in the request. */
export function CourseFields({
  dates = {},
  participation = {},
  pointer = '',
}: Course & { pointer?: string }) {
  const { dates: names = [], participationDays } = useStudy().study;
  return (
    <>
      {names.length > 0 && (
        <Group label={strings.dates}>
          <div class="pair">
            {names.map((name) => (
              <DateField
                key={name}
                label={name}
                name={courseFields.dateOf(name)}
                pointer={`${pointer}/dates/${name}`}
                defaultValue={dates[name] ?? ''}
              />
            ))}
          </div>
        </Group>
      )}
      <Group label={strings.participation} hint={strings.participationHint(participationDays)}>
        <div class="pair">
          <DateField
            label={strings.from}
            name={courseFields.from}
            pointer={`${pointer}/participation/from`}
            defaultValue={participation.from ?? ''}
          />
          <DateField
            label={strings.until}
            name={courseFields.until}
            pointer={`${pointer}/participation/until`}
            defaultValue={participation.until ?? ''}
          />
        </div>
      </Group>
    </>
  );
}
