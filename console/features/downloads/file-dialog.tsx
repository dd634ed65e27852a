import { useState } from 'preact/hooks';
import { strings as common } from '../../common-strings.ts';
import { DateField, OneOf, SelectField } from '../../components/form.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { SurveyOptions } from '../../components/survey-select.tsx';
import { fileName, tablePath, useDownload } from '../../download.ts';
import { formatBytes } from '../../format.ts';
import { useSurveys } from '../../names.ts';
import { useStudy } from '../../study-context.ts';
import { strings } from './download-strings.ts';
import { type File, type FileQueries, files, hasAnswers, hasItems, queryOf } from './file-query.ts';

/** Chooses a file for analysis, and saves it. */
export function FileDialog({ onClose, ...queries }: FileQueries & { onClose: () => void }) {
  const { study, id } = useStudy();
  const surveys = useSurveys(id);
  const offered = files.filter((name) => name !== 'responses' || queries.responses);
  const [file, setFile] = useState<File>(offered[0] ?? 'occurrences');
  const [survey, setSurvey] = useState(queries.occurrences.survey ?? '');
  const download = useDownload();

  async function save(form: FormData) {
    const text = (name: string) => String(form.get(name) ?? '');
    const choice = {
      file,
      survey,
      from: text('from'),
      to: text('to'),
      hasLabels: text('answers') === 'labels',
      hasColumns: text('choices') === 'columns',
    };
    await download.save({
      path: tablePath(`/investigation/${id}/${file}`, queryOf(choice, queries)),
      accept: 'text/csv',
      file: fileName(strings.names[file](study.name), 'csv'),
    });
    onClose();
  }
  return (
    <FormDialog title={strings.title} onClose={onClose} submit={strings.save} onSubmit={save}>
      <OneOf
        label={strings.file}
        name="file"
        of={offered.map((name) => [name, strings.files[name]] as const)}
        chosen={file}
        onChoose={setFile}
      />
      {file !== 'codebook' && (
        <SelectField
          label={common.survey}
          pointer="/survey"
          hint={strings.surveyHint}
          value={survey}
          onChange={({ currentTarget: { value } }) => setSurvey(value)}
        >
          <option value="">{common.anySurvey}</option>
          <SurveyOptions surveys={surveys} chosen={survey} />
        </SelectField>
      )}
      {file === 'occurrences' && (
        <>
          <DateField
            label={common.from}
            name="from"
            pointer="/from"
            defaultValue={queries.occurrences.from ?? ''}
          />
          <DateField label={common.to} name="to" pointer="/to" defaultValue={queries.occurrences.to ?? ''} />
        </>
      )}
      {hasAnswers({ file, survey }) && (
        <OneOf
          label={strings.answers}
          name="answers"
          of={Object.entries(strings.answersAs)}
          chosen="values"
        />
      )}
      {hasItems({ file, survey }) && (
        <OneOf
          label={strings.choices}
          name="choices"
          of={Object.entries(strings.choicesIn)}
          chosen="joined"
        />
      )}
      {download.bytes !== undefined && (
        <p class="muted" role="status">
          {common.received(formatBytes(download.bytes))}
        </p>
      )}
    </FormDialog>
  );
}
