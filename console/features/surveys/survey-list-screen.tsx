import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { newIdentifier } from '../../../client/client.ts';
import { useAction } from '../../actions.ts';
import { usePages } from '../../answers.ts';
import { api, type Survey } from '../../api.ts';
import { strings as common } from '../../common-strings.ts';
import { Button } from '../../components/button.tsx';
import { TextField } from '../../components/form.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { ListPage } from '../../components/list-page.tsx';
import { Badge } from '../../components/states.tsx';
import type { Column } from '../../components/table.tsx';
import { formatNumber } from '../../format.ts';
import { ruleIn } from '../../groups.ts';
import { useStudyChanges } from '../../study-changes.ts';
import { useStudy } from '../../study-context.ts';
import { describeReminders } from '../reminders/describe.ts';
import { ForFields, ForText } from './for-dialog.tsx';
import { strings } from './survey-strings.ts';

/** The surveys of the study, with their reminders. */
export function Surveys() {
  const { study, id, screenPath, properties, can } = useStudy();
  const [creating, setCreating] = useState(false);
  const list = usePages(['survey-list', id], (cursor, options) =>
    api.investigation[':id'].surveys.$get({ param: { id }, query: { limit: '50', cursor } }, options),
  );
  const surveys = list.data?.flatMap((page) => page.surveys);
  useStudyChanges(list.reload);
  const canCreate = can('design') && study.status === 'active' && !study.frozenAt;
  useAction('new-survey', () => canCreate && setCreating(true));
  const button = canCreate && (
    <Button kind="primary" icon="plus" onClick={() => setCreating(true)}>
      {strings.create}
    </Button>
  );
  return (
    <>
      <ListPage
        texts={{ ...strings, emptyAbout: can('design') ? strings.emptyStaff : strings.emptyResponder }}
        icon="survey"
        button={button}
        columns={columnsFor(screenPath, can('readAll') && properties.length > 0)}
        rows={surveys}
        list={list}
      />
      {creating && <CreateSurvey onClose={() => setCreating(false)} />}
    </>
  );
}

const columnsFor = (screenPath: (path: string) => string, hasFor: boolean): Column<Survey>[] => [
  {
    label: strings.name,
    cell: ({ identifier, name }) => <a href={screenPath(`/surveys/${identifier}`)}>{name}</a>,
  },
  ...(hasFor ? [{ label: strings.for, cell: (survey: Survey) => <ForText rule={survey.for} /> }] : []),
  {
    label: strings.reminders,
    cell: ({ reminders }) =>
      reminders ? describeReminders(reminders) : <span class="muted">{strings.noReminders}</span>,
  },
  { label: strings.items, kind: 'number', cell: ({ items }) => formatNumber(items.length) },
  {
    label: strings.status,
    cell: ({ archivedAt }) =>
      archivedAt ? (
        <Badge icon="archive">{common.status.archived}</Badge>
      ) : (
        <Badge tone="good">{common.status.active}</Badge>
      ),
  },
];

function CreateSurvey({ onClose }: { onClose: () => void }) {
  const { study, properties, screenPath } = useStudy();
  const { route } = useLocation();
  // One identifier per form, so that a second try after a lost answer makes no second survey.
  const [identifier] = useState(() => newIdentifier());
  async function create(form: FormData) {
    const rule = ruleIn(form, properties);
    await api.investigation[':id'].survey.$post({
      param: { id: study.identifier },
      json: {
        identifier,
        name: String(form.get('name')).trim(),
        items: [],
        ...(rule && { for: rule }),
      },
    });
    onClose();
    route(screenPath(`/surveys/${identifier}`));
  }
  return (
    <FormDialog title={strings.createTitle} onClose={onClose} submit={strings.createSubmit} onSubmit={create}>
      <TextField label={strings.name} name="name" pointer="/name" hint={strings.createHint} required />
      <ForFields />
    </FormDialog>
  );
}
