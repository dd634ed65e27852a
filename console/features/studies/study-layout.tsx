import { useEffect, useMemo, useRef } from 'preact/hooks';
import { Route, Router, useLocation, useRoute } from 'preact-iso/router';
import { useAnswer } from '../../answers.ts';
import { api, isProblem, type Study } from '../../api.ts';
import { strings } from '../../common-strings.ts';
import { FailedScreen } from '../../components/failed-screen.tsx';
import { Icon } from '../../components/icon.tsx';
import { NothingHere } from '../../components/not-found.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { EmptyState, Loading } from '../../components/states.tsx';
import { TopBar } from '../../components/top-bar.tsx';
import { formatTime } from '../../format.ts';
import { ruleText } from '../../groups.ts';
import { may, type Right } from '../../roles.ts';
import { screens as allScreens, screensFor } from '../../screens.ts';
import { StudyContext, useStudy } from '../../study-context.ts';
import { Finder } from '../finder/finder.tsx';

/** A study: its navigation, its banners, and the open screen. */
export function StudyLayout() {
  const { study: id = '' } = useRoute().params;
  const { data, error, reload } = useAnswer(['study', id], (options) =>
    api.investigation[':id'].$get({ param: { id } }, options),
  );
  // The previous study, while this one loads.
  const study = data?.identifier === id ? data : undefined;
  return (
    <>
      <TopBar>
        <Finder study={id} />
      </TopBar>
      <div class="study">
        {study ? <Navigation study={study} /> : !error && <NavigationSkeleton />}
        <main id="content" class="page">
          {study ? (
            <Content study={study} />
          ) : isProblem(error, 'resource.not-found') ? (
            <NothingHere />
          ) : error ? (
            <FailedScreen error={error} onRetry={reload} />
          ) : (
            <Loading />
          )}
        </main>
      </div>
    </>
  );
}

const pathOf = (study: Study, path: string) => `/console/studies/${study.identifier}${path}`;

function Navigation({ study }: { study: Study }) {
  const { path } = useLocation();
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => showOpenEntry(list.current), [path]);
  return (
    <nav class="study-nav" aria-label={strings.nav.label}>
      <a class="back" href="/console">
        <Icon name="back" />
        {strings.nav.allStudies}
      </a>
      <p class="study-name" dir="auto">
        {study.name}
      </p>
      <ul ref={list}>
        {screensFor(study).map(({ path: below, entry }) => {
          const href = pathOf(study, below);
          if (!entry) return null;
          const isOpen = path === href || path.startsWith(`${href}/`);
          return (
            <li key={below}>
              <a href={href} aria-current={isOpen ? 'page' : undefined}>
                <Icon name={entry.icon} />
                {entry.label}
              </a>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

const NavigationSkeleton = () => (
  <div class="study-nav skeleton" aria-hidden="true">
    {Array.from({ length: 8 }, (_, n) => (
      <span key={n} />
    ))}
  </div>
);

/** On a phone the entries form one line, which is longer than the screen is wide. */
function showOpenEntry(list: HTMLElement | null) {
  const open = list?.querySelector('[aria-current]')?.getBoundingClientRect();
  if (!list || !open) return;
  const { left, width } = list.getBoundingClientRect();
  list.scrollLeft += open.left + open.width / 2 - (left + width / 2);
}

function Content({ study }: { study: Study }) {
  const screens = screensFor(study);
  const context = useMemo(
    () => ({
      study,
      id: study.identifier,
      screenPath: (path: string) => pathOf(study, path),
      properties: study.properties ?? [],
      can: (right: Right) => may(study, right),
    }),
    [study],
  );
  return (
    <StudyContext.Provider value={context}>
      {study.frozenAt && (
        <p class="note accent">
          <Icon name="freeze" /> {strings.frozenBanner(formatTime(study.frozenAt))}
        </p>
      )}
      {study.scope && (
        <p class="note accent scope">
          <Icon name="people" /> {strings.scopeBanner(ruleText(study.scope))}
        </p>
      )}
      {study.frozenGroups?.map((group) => (
        <p class="note accent" key={JSON.stringify(group)}>
          <Icon name="freeze" /> {strings.frozenGroupBanner(ruleText(group))}
        </p>
      ))}
      {study.status === 'archived' && (
        <p class="note">
          <Icon name="archive" /> {strings.archivedBanner}
        </p>
      )}
      <Router>
        <Route path="/" component={FirstScreen} />
        {screens.map(({ path, component }) => (
          <Route key={path} path={path} component={component} />
        ))}
        {allScreens
          .filter((screen) => !screens.includes(screen))
          .map(({ path, right = 'own' }) => (
            <Route key={path} path={path} component={NotForRole} right={right} />
          ))}
        <Route default component={NothingHere} />
      </Router>
    </StudyContext.Provider>
  );
}

/** The study's own address leads to its first screen. */
function FirstScreen() {
  const { study, screenPath } = useStudy();
  const { route } = useLocation();
  useEffect(() => route(screenPath(screensFor(study)[0]?.path ?? ''), true), []);
  return null;
}

/** The note at the address of a screen for other roles, with the screens that are open to this person. */
function NotForRole({ right }: { right: Right }) {
  const { study, screenPath } = useStudy();
  const { notForRole } = strings;
  return (
    <>
      <PageHead title={notForRole.title} />
      <EmptyState icon="lock" title={notForRole.rights[right]} about={notForRole.open[study.role]}>
        <ul class="links">
          {screensFor(study).map(
            ({ path, entry }) =>
              entry && (
                <li key={path}>
                  <a class="button plain" href={screenPath(path)}>
                    <Icon name={entry.icon} />
                    {entry.label}
                  </a>
                </li>
              ),
          )}
        </ul>
      </EmptyState>
    </>
  );
}
