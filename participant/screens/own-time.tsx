import { type OwnTime, ownTimeOf } from '../own-time.ts';
import type { Study } from '../snapshot.ts';
import { fill, useTexts } from '../strings/texts.ts';
import { dateText } from '../time.ts';

interface Props {
  studies: readonly Study[];
  now: number;
  /** Something can still be answered. */
  isOpen: boolean;
}

/** How much of each study is behind the person, if their time in it has an end. */
export function OwnTimes({ studies, now, isOpen }: Props) {
  return (
    <>
      {studies.map((study) => {
        const time = ownTimeOf(study, now);
        const name = studies.length > 1 ? `${study.name}: ` : '';
        return time && <Shown key={study.identifier} {...{ time, name, now, isOpen }} />;
      })}
    </>
  );
}

function Shown({ time, name, now, isOpen }: Omit<Props, 'studies'> & { time: OwnTime; name: string }) {
  const { texts, locale } = useTexts();
  const { begins, day, over, stillOpen } = texts.ownTime;
  switch (time.is) {
    case 'before':
      return (
        <p class="note">
          {name}
          {fill(begins, { day: dateText(time.begins, now, locale) })}
        </p>
      );
    case 'in':
      return (
        <div class="own-time">
          <p>
            {name}
            {fill(day, { n: time.day, days: time.days })}
          </p>
          {/* The text says the same. */}
          <progress value={time.day} max={time.days} aria-hidden="true" />
        </div>
      );
    case 'after':
      return <p class="note">{`${name}${over}${isOpen ? ` ${stillOpen}` : ''}`}</p>;
  }
}
