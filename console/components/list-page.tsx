import type { ComponentChildren, ComponentProps } from 'preact';
import { isProblem } from '../api.ts';
import type { IconName } from './icon.tsx';
import { PageHead } from './page-head.tsx';
import { EmptyState } from './states.tsx';
import { Table, type TableProps } from './table.tsx';

interface Props<Row>
  extends Pick<TableProps<Row>, 'columns' | 'rows' | 'list' | 'rowName' | 'selection'>,
    Pick<ComponentProps<typeof PageHead>, 'back'> {
  texts: {
    title: string;
    about: string;
    caption: string;
    empty: string;
    emptyAbout: string;
    /** Of a list that the service lacks as long as its operator has set no key. */
    noKey?: string;
    noKeyAbout?: string;
  };
  icon: IconName;
  /** Makes a row: stands in the heading, or in the place of an empty list. */
  button: ComponentChildren;
  /** In the heading before the button. */
  children?: ComponentChildren;
}

/** A screen that is one list. */
export function ListPage<Row extends { identifier: string }>({
  texts,
  icon,
  button,
  children,
  back,
  ...table
}: Props<Row>) {
  const { rows, list } = table;
  const shown = rows !== undefined && rows.length > 0 && button;
  return (
    <>
      <PageHead title={texts.title} about={texts.about} back={back}>
        {(children || shown) && (
          <>
            {children}
            {shown}
          </>
        )}
      </PageHead>
      {texts.noKey && isProblem(list.error, 'resource.not-found') ? (
        <EmptyState icon={icon} title={texts.noKey} about={texts.noKeyAbout} />
      ) : (
        <Table
          saves
          caption={texts.caption}
          {...table}
          rowId={({ identifier }) => identifier}
          empty={
            <EmptyState icon={icon} title={texts.empty} about={texts.emptyAbout}>
              {button}
            </EmptyState>
          }
        />
      )}
    </>
  );
}
