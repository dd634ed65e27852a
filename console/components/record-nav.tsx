import { useLocation } from 'preact-iso/router';
import { strings } from '../common-strings.ts';
import { useKeys } from '../keys.ts';
import { neighbours } from '../records.ts';
import { useStudy } from '../study-context.ts';
import { Icon } from './icon.tsx';

/** Links to the records before and after this one in the list that the person came from. */
export function RecordNav({
  kind,
  id,
  path,
}: {
  kind: Parameters<typeof neighbours>[1];
  id: string;
  /** Of the study, such as `/participants`; the identifier follows. */
  path: string;
}) {
  const { study, screenPath } = useStudy();
  const { route } = useLocation();
  const list = neighbours(study.identifier, kind, id);
  const pathOf = (record: string | undefined) => record && screenPath(`${path}/${record}`);
  const [before, after] = [pathOf(list?.before), pathOf(list?.after)];
  useKeys([
    { key: 'j', label: strings.records.next, act: () => after && route(after) },
    { key: 'k', label: strings.records.previous, act: () => before && route(before) },
  ]);
  if (!list || list.of < 2) return null;
  return (
    <nav class="record-nav" aria-label={strings.records.label}>
      {before && (
        <a class="button quiet" href={before} rel="prev" title={strings.records.previous}>
          <Icon name="back" />
          <span class="hidden-label">{strings.records.previous}</span>
        </a>
      )}
      <span class="muted">{strings.records.place(list.place, list.of)}</span>
      {after && (
        <a class="button quiet" href={after} rel="next" title={strings.records.next}>
          <Icon name="chevron" />
          <span class="hidden-label">{strings.records.next}</span>
        </a>
      )}
    </nav>
  );
}
