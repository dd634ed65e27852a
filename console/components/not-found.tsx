import { strings } from '../common-strings.ts';
import { PageHead } from './page-head.tsx';
import { EmptyState } from './states.tsx';
import { TopBar } from './top-bar.tsx';

export function NothingHere() {
  return (
    <>
      <PageHead title={strings.notFoundTitle} />
      <EmptyState icon="search" title={strings.notFound}>
        <a class="button plain" href="/console">
          {strings.backToStudies}
        </a>
      </EmptyState>
    </>
  );
}

export const NotFound = () => (
  <>
    <TopBar />
    <main id="content" class="page">
      <NothingHere />
    </main>
  </>
);
