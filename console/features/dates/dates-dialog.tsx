import { useRef, useState } from 'preact/hooks';
import { mutate } from '../../answers.ts';
import { api } from '../../api.ts';
import { strings as common } from '../../common-strings.ts';
import { FormDialog } from '../../components/form-dialog.tsx';
import { useToast } from '../../components/toast.tsx';
import { useStudy } from '../../study-context.ts';
import { CourseFields } from './course-fields.tsx';
import { type Course, changeOf, courseIn } from './courses.ts';
import { MovedReminders } from './dates-effect.tsx';
import { strings } from './dates-strings.ts';
import { effectsOf, type Moved } from './use-dates-effect.ts';

const ofStudy = api.investigation[':id'];

interface Shown {
  change: ReturnType<typeof changeOf>;
  moved: readonly Moved[];
}

/** Changes the dates and the time of one person, and shows before what moves. */
export function DatesDialog({
  user,
  name,
  course,
  onClose,
}: {
  user: string;
  name: string;
  course: Course;
  onClose: () => void;
}) {
  const { study, id } = useStudy();
  const toast = useToast();
  const [shown, setShown] = useState<Shown>();
  /** A change of a field while the effect is looked up makes it one of other dates. */
  const typed = useRef(0);
  const { dates: names = [] } = study;

  async function submit(form: FormData) {
    const change = changeOf(user, course, courseIn(form, names), names);
    if (!change || JSON.stringify(change) !== JSON.stringify(shown?.change)) return look(change);
    const { user: _, ...json } = change;
    await ofStudy.member[':user'].$patch({ param: { id, user }, json });
    for (const kind of ['member', 'participant-status', 'upcoming', 'history']) mutate([kind]);
    toast({ text: strings.saved });
    onClose();
  }

  async function look(change: Shown['change']) {
    const since = typed.current;
    let moved: readonly Moved[] = [];
    if (change)
      for await (const effect of effectsOf(id, [change], new AbortController().signal)) moved = effect.moved;
    if (since === typed.current) setShown({ change, moved });
  }

  return (
    <FormDialog
      title={strings.editTitle(name)}
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
        {names.length === 0 && <p class="hint">{strings.noNames}</p>}
        <CourseFields {...course} pointer="/members/0" />
      </div>
      <div aria-live="polite">
        {shown && (
          <p>
            {!shown.change
              ? strings.unchanged
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
