import { PageHead } from '../../components/page-head.tsx';
import { PropertyFilter, usePart } from '../../components/property-filter.tsx';
import { EmptyState } from '../../components/states.tsx';
import { useSurveys } from '../../names.ts';
import { useStudyChanges } from '../../study-changes.ts';
import { useStudy } from '../../study-context.ts';
import { SetAsideNote } from '../items/set-aside-note.tsx';
import { DayByDay, useDays } from './days.tsx';
import { Exceptions, isWaiting, useExceptions } from './exceptions.tsx';
import { strings } from './overview-strings.ts';

/** The first screen: people who need attention, and the last days. */
export function Overview() {
  const { study, properties, screenPath } = useStudy();
  const part = usePart();
  // A part without members may be of a study with many.
  const mayBeEmpty = part.rule === undefined && !study.scope;
  const surveys = useSurveys(study.identifier);
  const exceptions = useExceptions();
  const days = useDays();
  useStudyChanges(() => {
    exceptions.reload();
    days.reload();
  });
  // A failed fetch is repeated, and reported, when there is something to draw.
  return (
    <>
      <PageHead title={strings.title} about={strings.about} />
      {properties.length > 0 && (
        <div class="filters">
          <PropertyFilter />
        </div>
      )}
      {mayBeEmpty && exceptions.data?.isAlone && exceptions.data.invitations.emails.length === 0 ? (
        <EmptyState icon="people" title={strings.nobodyYet} about={strings.nobodyYetAbout}>
          <a href={screenPath('/members')}>{strings.toMembers}</a>
          <a href={screenPath('/surveys')}>{strings.toSurveys}</a>
        </EmptyState>
      ) : (
        <div class="overview">
          <section aria-labelledby="attention">
            <div class="attention-head">
              <h2 id="attention">{strings.attention}</h2>
              {isWaiting(exceptions.data, days.data?.days) && (
                <a class="button plain" href={screenPath(`/queue?${part.search.slice(1)}`)}>
                  {strings.toQueue}
                </a>
              )}
            </div>
            <SetAsideNote />
            <Exceptions {...exceptions} days={days.data?.days} />
          </section>
          <DayByDay surveys={surveys} all={days} />
        </div>
      )}
    </>
  );
}
