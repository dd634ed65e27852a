import { useRef, useState } from 'preact/hooks';
import { mutate } from '../../answers.ts';
import { api } from '../../api.ts';
import { strings as common } from '../../common-strings.ts';
import { FormDialog } from '../../components/form-dialog.tsx';
import { PropertyFields } from '../../components/property-fields.tsx';
import { useToast } from '../../components/toast.tsx';
import { changedIn, patchOf } from '../../groups.ts';
import { useStudy } from '../../study-context.ts';
import { CourseFields } from './course-fields.tsx';
import { type Course, type CourseChange, changeOf, courseIn } from './courses.ts';
import { MovedReminders } from './dates-effect.tsx';
import { strings } from './dates-strings.ts';
import { effectsOf, type Moved } from './use-dates-effect.ts';

const ofStudy = api.investigation[':id'];

interface Shown {
  change: CourseChange | undefined;
  moved: readonly Moved[];
}

interface Props {
  user: string;
  name: string;
  course: Course;
  /** The fields: of dates and time, or of properties. */
  of: 'dates' | 'properties';
  onClose: () => void;
}

/** Changes the dates and the time of one person, or their properties, and shows before what moves. */
export function DatesDialog({ user, name, course, of, onClose }: Props) {
  const { study, id, properties } = useStudy();
  const toast = useToast();
  const [shown, setShown] = useState<Shown>();
  /** A change of a field while the effect is looked up makes it one of other dates. */
  const typed = useRef(0);
  const { dates: names = [] } = study;
  const isOfDates = of === 'dates';

  function changeIn(form: FormData): CourseChange | undefined {
    if (isOfDates) return changeOf(user, course, courseIn(form, names), names);
    const patch = patchOf(course.properties, changedIn(form, course.properties, properties));
    return patch && { user, properties: patch };
  }

  async function submit(form: FormData) {
    const change = changeIn(form);
    if (!change || JSON.stringify(change) !== JSON.stringify(shown?.change)) return look(change);
    const { user: _, ...json } = change;
    await ofStudy.member[':user'].$patch({ param: { id, user }, json });
    for (const kind of ['member', 'members', 'participant-status', 'upcoming', 'history']) mutate([kind]);
    toast({ text: isOfDates ? strings.saved : strings.propertiesSaved });
    onClose();
  }

  async function look(change: Shown['change']) {
    const since = typed.current;
    let moved: readonly Moved[] = [];
    if (change)
      for await (const effect of effectsOf(id, [change], new AbortController().signal)) moved = effect.moved;
    if (since === typed.current) setShown({ change, moved });
  }

  const unchanged = isOfDates ? strings.unchanged : strings.propertiesUnchanged;
  return (
    <FormDialog
      title={isOfDates ? strings.editTitle(name) : strings.propertiesTitle(name)}
      submit={shown?.change ? common.save : strings.show}
      onClose={onClose}
      onSubmit={submit}
    >
      <div
        class="form"
        onInput={() => {
          typed.current++;
          setShown(undefined);
        }}
      >
        {isOfDates ? (
          <>
            {names.length === 0 && <p class="hint">{strings.noNames}</p>}
            <CourseFields {...course} pointer="/members/0" />
          </>
        ) : (
          <PropertyFields
            label={strings.properties}
            hint={strings.propertiesHint}
            properties={course.properties ?? {}}
            pointer="/members/0"
          />
        )}
      </div>
      <div aria-live="polite">
        {shown && (
          <p>
            {!shown.change
              ? unchanged
              : shown.moved.length === 0
                ? strings.stays
                : strings.moves(shown.moved.length)}
          </p>
        )}
        {shown && <MovedReminders moved={shown.moved} />}
      </div>
    </FormDialog>
  );
}
