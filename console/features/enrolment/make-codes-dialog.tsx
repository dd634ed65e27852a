import { useRef, useState } from 'preact/hooks';
import { DateField, TextField } from '../../components/form.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { PropertyFields } from '../../components/property-fields.tsx';
import { Progress } from '../../components/states.tsx';
import { propertiesIn } from '../../groups.ts';
import { useStudy } from '../../study-context.ts';
import { CourseFields } from '../dates/course-fields.tsx';
import { courseIn } from '../dates/courses.ts';
import { strings as datesStrings } from '../dates/dates-strings.ts';
import { type Code, newBatch, type Wanted } from './codes.ts';
import { strings } from './enrolment-strings.ts';

const maxCodes = 500;
const maxUses = 100_000;

/** Makes one code, or hundreds, each with its own request. */
export function MakeCodesDialog({
  onClose,
  onMade,
}: {
  onClose: () => void;
  onMade: (codes: Code[]) => void;
}) {
  const { study, properties: declared } = useStudy();
  const [progress, setProgress] = useState<{ done: number; total: number }>();
  /** A second try after a failure goes on with the same batch, as long as the same is wanted. */
  const batch = useRef<{ name: string; make: ReturnType<typeof newBatch> } | undefined>(undefined);

  async function make(form: FormData) {
    const text = (name: string) => String(form.get(name)).trim();
    const label = text('label');
    const until = text('until');
    const { dates, participation } = courseIn(form, study.dates ?? []);
    const properties = propertiesIn(form, declared);
    const wanted: Wanted = {
      howMany: Number(text('howMany')),
      uses: Number(text('uses')),
      ...(label && { label }),
      ...(until && { expiresAt: new Date(until).toISOString() }),
      ...(Object.keys(dates).length > 0 && { dates }),
      ...(Object.keys(participation).length > 0 && { participation }),
      ...(Object.keys(properties).length > 0 && { properties }),
    };
    const name = JSON.stringify(wanted);
    if (batch.current?.name !== name) batch.current = { name, make: newBatch(study.identifier, wanted) };
    const total = wanted.howMany;
    try {
      onMade(await batch.current.make((done) => setProgress({ done, total })));
    } finally {
      setProgress(undefined);
    }
  }

  return (
    <FormDialog
      title={strings.makeTitle}
      onClose={onClose}
      insists={progress !== undefined}
      submit={strings.makeSubmit}
      onSubmit={make}
    >
      <TextField
        label={strings.howMany}
        name="howMany"
        hint={strings.howManyHint}
        type="number"
        min={1}
        max={maxCodes}
        defaultValue="1"
        required
      />
      <TextField
        label={strings.uses}
        name="uses"
        pointer="/uses"
        hint={strings.usesHint}
        type="number"
        min={1}
        max={maxUses}
        defaultValue="1"
        required
      />
      <TextField
        label={strings.label}
        name="label"
        pointer="/label"
        hint={strings.labelHint}
        maxLength={100}
      />
      <DateField
        label={strings.until}
        name="until"
        pointer="/expiresAt"
        type="datetime-local"
        hint={strings.untilHint}
      />
      <PropertyFields label={datesStrings.properties} hint={strings.propertiesHint} />
      <details>
        <summary>{datesStrings.ofCodes}</summary>
        <div class="form">
          <CourseFields />
        </div>
      </details>
      {progress && <Progress label={strings.making(progress.done, progress.total)} {...progress} />}
    </FormDialog>
  );
}
