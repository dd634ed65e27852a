import { useState } from 'preact/hooks';
import { Button } from '../../components/button.tsx';
import { Fact } from '../../components/fact.tsx';
import { PropertyFacts } from '../../components/property-fields.tsx';
import { Badge, type Tone } from '../../components/states.tsx';
import { formatDate } from '../../format.ts';
import { changeable } from '../../groups.ts';
import { useStudy } from '../../study-context.ts';
import type { Course } from './courses.ts';
import { DatesDialog } from './dates-dialog.tsx';
import { strings } from './dates-strings.ts';

export type TimeState = keyof typeof strings.states;

const tones: Record<TimeState, Tone> = { before: 'accent', in: 'good', after: 'plain' };

/** Whether somebody is before, in or after their time in the study. */
export const TimeBadge = ({ state }: { state: TimeState }) => (
  <Badge tone={tones[state]}>{strings.states[state]}</Badge>
);

interface Props {
  user: string;
  name: string;
  course: Course;
  /** With the days of the study; absent for somebody who does not take part. */
  time: { from: string; until: string | null; state: TimeState } | undefined;
}

/** The dates, the time and the properties of a person in the study. */
export function DatesCard({ user, name, course, time }: Props) {
  const { study, properties, can } = useStudy();
  const [open, setOpen] = useState<'dates' | 'properties'>();
  const { dates = {} } = course;
  const names = [...new Set([...(study.dates ?? []), ...Object.keys(dates)])];
  return (
    <section class="card course" aria-labelledby="dates">
      <h2 id="dates">{strings.title}</h2>
      <dl class="facts">
        <Fact term={strings.time}>
          {strings.timeText(time ?? course.participation ?? {})} {time && <TimeBadge state={time.state} />}
        </Fact>
        {names.map((name) => (
          <Fact key={name} term={name}>
            {dates[name] ? formatDate(dates[name]) : <span class="muted">{strings.noDate}</span>}
          </Fact>
        ))}
        <PropertyFacts of={course.properties} declared={properties} />
      </dl>
      {can('edit') && study.status === 'active' && (
        <p class="row-actions">
          <Button icon="pencil" onClick={() => setOpen('dates')}>
            {strings.edit}
          </Button>
          {changeable(properties, study.scope).length > 0 && (
            <Button icon="pencil" onClick={() => setOpen('properties')}>
              {strings.editProperties}
            </Button>
          )}
        </p>
      )}
      {open && (
        <DatesDialog user={user} name={name} course={course} of={open} onClose={() => setOpen(undefined)} />
      )}
    </section>
  );
}
