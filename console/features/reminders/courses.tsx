import { useState } from 'preact/hooks';
import { Loading } from '../../components/states.tsx';
import { addDays, daysFrom, formatDate, formatMonthYear, formatShortDate } from '../../format.ts';
import { useStudy } from '../../study-context.ts';
import { Occurrences } from './preview.tsx';
import { strings } from './reminder-strings.ts';
import { type Course, endlessDays, type Courses as Found, maxShown, useCourses } from './use-courses.ts';
import type { usePreview } from './use-preview.ts';

const { courses: words } = strings;

/** The whole course of several people, each on a line: past and to come. */
export function Courses({ preview }: { preview: ReturnType<typeof usePreview> }) {
  const { data } = useCourses(preview);
  const { zone } = preview.options;
  return (
    <section class="card courses" aria-labelledby="courses">
      <h2 id="courses">{words.title}</h2>
      {data ? (
        <>
          <p class="hint">{words.hint(zone.replaceAll('_', ' '))}</p>
          <Lines found={data} zone={zone} />
        </>
      ) : preview.error ? (
        <p class="muted">{words.loading}</p>
      ) : (
        <Loading />
      )}
    </section>
  );
}

function Lines({ found, zone }: { found: Found; zone: string }) {
  const { people, isEndless } = found;
  const { participationDays } = useStudy().study;
  const axis = axisOf(found);
  return (
    <>
      <ul class="course-list">
        {people.map((course) => (
          <Line key={course.key} course={course} found={found} axis={axis} zone={zone} />
        ))}
      </ul>
      <Legend hasOpen={opensForDays(found)} />
      {isEndless && <p class="hint">{words.endless(endlessDays)}</p>}
      {participationDays !== undefined && <p class="hint">{words.ends(participationDays)}</p>}
      {people.some(({ occurrences }) => occurrences.length >= maxShown) && (
        <p class="hint">{words.many(maxShown)}</p>
      )}
    </>
  );
}

function Line({
  course,
  found: { today, timing },
  axis,
  zone,
}: {
  course: Course;
  found: Found;
  axis: Axis;
  zone: string;
}) {
  const { name, dayZero, occurrences } = course;
  const [isOpen, setIsOpen] = useState(false);
  const past = occurrences.filter(({ on }) => on < today).length;
  const [first, last] = [occurrences[0], occurrences.at(-1)];
  const summary =
    first && last
      ? `${words.summary(past, occurrences.length - past)}, ${words.span(formatDate(first.on), formatDate(last.on))}`
      : words.none;
  return (
    <li class="course">
      <h3>
        <bdi>{name}</bdi> <span class="muted">{words.dayZero(formatDate(dayZero))}</span>
      </h3>
      <div class="course-axis" aria-hidden="true">
        {axis.labels.map(({ at, text }) => (
          <span key={at} style={{ left: axis.place(at) }}>
            {text}
          </span>
        ))}
      </div>
      <svg class="course-line" role="img" aria-label={`${name}: ${summary}`}>
        <line class="time" x1="0" x2="100%" y1="14" y2="14" />
        <line class="today" x1={axis.place(today)} x2={axis.place(today)} y1="0" y2="28" />
        <rect class="day0" x={axis.place(dayZero)} y="4" width="3" height="20" rx="1" />
        {occurrences.map(({ on, slot = 0 }) => (
          <Mark
            key={`${on}/${slot}`}
            from={axis.share(on)}
            to={axis.share(addDays(on, openDays(timing.expiresAfter)))}
            isPast={on < today}
          />
        ))}
      </svg>
      {occurrences.length === 0 ? (
        <p class="muted">{summary}</p>
      ) : (
        <details onToggle={(event) => setIsOpen(event.currentTarget.open)}>
          <summary>{summary}</summary>
          {isOpen && (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by the keyboard
            <section class="course-dates" aria-label={name} tabIndex={0}>
              <Occurrences
                list={occurrences}
                zone={zone}
                dayZero={timing.type === 'fixed' ? dayZero : undefined}
              />
            </section>
          )}
        </details>
      )}
    </li>
  );
}

/** A reminder, with the days for which it stays open. */
const Mark = ({ from, to, isPast }: { from: number; to: number; isPast: boolean }) => (
  <g class={isPast ? 'past' : 'ahead'}>
    {to > from && <rect class="open" x={percent(from)} y="10" width={percent(to - from)} height="8" rx="3" />}
    <circle cx={percent(from)} cy="14" r="4" />
  </g>
);

const Legend = ({ hasOpen }: { hasOpen: boolean }) => (
  <ul class="course-legend">
    {(['day0', 'past', 'ahead', ...(hasOpen ? (['open'] as const) : []), 'today'] as const).map((name) => (
      <li key={name}>
        <span class={`sample ${name}`} aria-hidden="true" /> {words.legend[name]}
      </li>
    ))}
  </ul>
);

/** Whole days for which a reminder is open. */
const openDays = (expiresAfter = 0) => Math.floor(expiresAfter / 1440);
const opensForDays = ({ timing }: Found) => openDays(timing.expiresAfter) > 0;

interface Axis {
  /** The part of the line before a date, from 0 to 1. */
  share: (date: string) => number;
  place: (date: string) => string;
  labels: readonly { at: string; text: string }[];
}

const percent = (share: number) => `${Math.round(share * 10_000) / 100}%`;
const steps = [0, 0.25, 0.5, 0.75];

/** One axis for all lines, from the first day 0 to the last reminder's end, with today. */
function axisOf({ people, today, timing }: Found): Axis {
  const dates = people.flatMap(({ dayZero, occurrences }) => [
    dayZero,
    ...occurrences.flatMap(({ on }) => [on, addDays(on, openDays(timing.expiresAfter))]),
  ]);
  const all = [today, ...dates].sort();
  const [first = today, last = today] = [all[0], all.at(-1)];
  // A day at each side, so that no mark is cut.
  const start = addDays(first, -1);
  const days = daysFrom(start, last) + 1;
  const share = (date: string) => (daysFrom(start, date) - 1) / days;
  const format = days > 300 ? formatMonthYear : formatShortDate;
  const labels = steps.map((step) => addDays(start, Math.round(days * step)));
  return {
    share,
    place: (date) => percent(share(date)),
    labels: labels.map((at) => ({ at, text: format(at) })),
  };
}
