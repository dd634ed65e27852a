import { PageHead } from '../components/page-head.tsx';
import { EmptyState } from '../components/states.tsx';
import { TopBar } from '../components/top-bar.tsx';
import { strings } from '../strings/common.ts';

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
