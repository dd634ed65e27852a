import { useState } from 'preact/hooks';
import { mutate, usePages } from '../../answers.ts';
import { strings as common } from '../../common-strings.ts';
import { Button } from '../../components/button.tsx';
import { DownloadButton } from '../../components/download-button.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { Coded } from '../../components/person.tsx';
import { propertyColumns } from '../../components/property-fields.tsx';
import { PropertyFilter, usePart } from '../../components/property-filter.tsx';
import { EmptyState } from '../../components/states.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { fileName, tablePath } from '../../download.ts';
import { formatTime } from '../../format.ts';
import { useStudyChanges } from '../../study-changes.ts';
import { useStudy } from '../../study-context.ts';
import { DiscardDialog, PlaceDialog } from './place-dialog.tsx';
import { type SetAside, setAsideRoute } from './set-aside.ts';
import { strings } from './set-aside-strings.ts';

type Open = { answer: SetAside; to: 'place' | 'discard' };

/** Answers that were right when they were given and have no place any more, until somebody places or discards them. */
export function SetAsideScreen() {
  const { study, id, screenPath, properties, can } = useStudy();
  const part = usePart();
  const [open, setOpen] = useState<Open>();
  const list = usePages(
    ['set-aside', id, part.filter],
    (cursor, options) =>
      setAsideRoute.$get({ param: { id }, query: { limit: '50', cursor, ...part.filter } }, options),
    part.fills(50),
  );
  useStudyChanges(list.reload);
  const changed = () => {
    list.reload();
    mutate(['set-aside-count', id]);
  };
  const columns: Column<SetAside>[] = [
    { label: strings.person, cell: ({ name, code }) => <Coded name={name} code={code} /> },
    ...propertyColumns<SetAside>(properties),
    { label: strings.survey, cell: ({ surveyName }) => <bdi>{surveyName}</bdi> },
    { label: strings.why, cell: ({ reason }) => strings.reasons[reason] },
    { label: strings.given, cell: ({ givenAt }) => <Time at={givenAt} /> },
    ...(can('edit') ? [actions(setOpen)] : []),
  ];
  const close = () => setOpen(undefined);
  return (
    <>
      <PageHead
        title={strings.title}
        about={strings.about}
        back={{ href: screenPath('/data'), label: strings.back }}
      >
        <DownloadButton
          path={tablePath(`/investigation/${id}/set-aside`, part.filter)}
          accept="text/csv"
          file={fileName(strings.file(study.name), 'csv')}
        >
          {common.csv}
        </DownloadButton>
      </PageHead>
      {properties.length > 0 && (
        <div class="filters">
          <PropertyFilter />
        </div>
      )}
      <Table
        caption={strings.caption}
        columns={columns}
        rows={list.data?.flatMap(({ setAside }) => setAside)}
        rowId={({ identifier }) => identifier}
        list={list}
        empty={<EmptyState icon="check" title={strings.none} about={strings.noneAbout} />}
      />
      {open?.to === 'place' && <PlaceDialog answer={open.answer} onClose={close} onChanged={changed} />}
      {open?.to === 'discard' && <DiscardDialog answer={open.answer} onClose={close} onChanged={changed} />}
    </>
  );
}

const actions = (open: (open: Open) => void): Column<SetAside> => ({
  label: strings.actions,
  cell: (answer) => (
    <span class="row-actions">
      <Button
        aria-label={strings.placeOf(answer.name, formatTime(answer.givenAt))}
        onClick={() => open({ answer, to: 'place' })}
      >
        {strings.place}
      </Button>
      <Button
        aria-label={strings.discardOf(answer.name, formatTime(answer.givenAt))}
        onClick={() => open({ answer, to: 'discard' })}
      >
        {strings.discard}
      </Button>
    </span>
  ),
});
