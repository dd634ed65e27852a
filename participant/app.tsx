import { Component, type ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Icon, Link } from './components.tsx';
import { formKey } from './drafts.ts';
import { readLaunch, useHomeScreen } from './home-screen.ts';
import { type Kept, reload, useKept } from './kept-state.ts';
import { type Place, usePlace } from './places.ts';
import { endHere } from './reminding.ts';
import { AboutScreen } from './screens/about-screen.tsx';
import { AnswerScreen } from './screens/answer-screen.tsx';
import { Ended } from './screens/ended-screen.tsx';
import { Join } from './screens/join-screen.tsx';
import { NoMemory } from './screens/no-memory-screen.tsx';
import { Reminders } from './screens/reminders-screen.tsx';
import { Sent } from './screens/sent-screen.tsx';
import { SettingsScreen } from './screens/settings-screen.tsx';
import { SurveyScreen } from './screens/survey-screen.tsx';
import { TodayScreen } from './screens/today-screen.tsx';
import { keep } from './store.ts';
import {
  type Language,
  type Loaded,
  loadFirstTexts,
  loadTexts,
  readLanguage,
  TextsContext,
  useTexts,
} from './strings/texts.ts';
import { type Reached, useSync } from './sync.ts';
import { showFallback, useTrouble } from './trouble.ts';

/** A fault while drawing leaves the text of `index.html`, never an empty page. */
export class App extends Component<{ code: string }, { isBroken: boolean }> {
  override state = { isBroken: false };

  override componentDidCatch(error: unknown) {
    console.error(error);
    showFallback();
    this.setState({ isBroken: true });
  }

  override render() {
    return this.state.isBroken ? null : <Page code={this.props.code} />;
  }
}

/** The whole page, once its texts and what the phone keeps are read. */
function Page({ code: fromLink }: { code: string }) {
  const [loaded, setLoaded] = useState<Loaded>();
  const [code, setCode] = useState(fromLink);
  const kept = useKept();
  useEffect(() => void readLanguage().then(loadFirstTexts).then(setLoaded), []);
  const choose = async (language: Language) => {
    const next = await loadTexts(language);
    await keep('language', language);
    await keep('chosen-language', language);
    setLoaded(next);
  };
  const session = kept === 'lost' ? undefined : kept?.session;
  useEffect(() => {
    if (session?.ended) void endHere().then(reload);
  }, [session?.ended]);
  const reached = useSync(
    session !== undefined && !session.ended && loaded !== undefined,
    loaded?.language ?? 'en',
  );
  useHomeScreen(kept === 'lost' ? undefined : kept, reached);
  // The icon on the home screen opens with the code that it was made with, each time.
  const isKnown = session !== undefined && readLaunch() !== undefined;
  const newCode = isKnown ? '' : code;
  const place = usePlace();
  if (!loaded || !kept) return null;
  if (kept === 'lost')
    return (
      <TextsContext.Provider value={loaded}>
        <NoMemory code={code} />
      </TextsContext.Provider>
    );
  return (
    <TextsContext.Provider value={loaded}>
      <Frame place={place} kept={kept}>
        {!session || newCode || place.view === 'join' ? (
          <Join key={newCode} code={newCode} kept={kept} onDone={() => setCode('')} />
        ) : session.ended ? (
          <Ended kept={kept} />
        ) : (
          <Screen place={place} kept={kept} reached={reached} onLanguage={choose} />
        )}
      </Frame>
    </TextsContext.Provider>
  );
}

interface ScreenProps {
  place: Place;
  kept: Kept;
  reached: Reached;
  onLanguage: (language: Language) => Promise<void>;
}

function Screen({ place, kept, reached, onLanguage }: ScreenProps) {
  switch (place.view) {
    case 'survey':
      return <SurveyScreen key={formKey(place)} place={place} kept={kept} />;
    case 'answer':
      return <AnswerScreen key={place.response} place={place} kept={kept} />;
    case 'settings':
      return <SettingsScreen kept={kept} onLanguage={onLanguage} />;
    case 'reminders':
      return <Reminders kept={kept} />;
    case 'about':
      return <AboutScreen kept={kept} />;
    case 'sent':
      return <Sent kept={kept} />;
    default:
      return <TodayScreen kept={kept} reached={reached} />;
  }
}

function Frame({ place, kept, children }: { place: Place; kept: Kept; children: ComponentChildren }) {
  const { texts } = useTexts();
  const isIn = kept.session !== undefined && !kept.session.ended;
  return (
    <>
      <header class="top">
        {isIn && place.view !== 'today' ? (
          <Link to={{ view: 'today' }} class="icon-button" label={texts.back}>
            <Icon name="back" />
          </Link>
        ) : (
          <span class="mark">
            <Icon name="bell" />
          </span>
        )}
        <p class="study">{kept.session?.study.name ?? 'Fieldbell'}</p>
        {isIn && place.view === 'today' && (
          <Link to={{ view: 'settings' }} class="icon-button" label={texts.settings.title}>
            <Icon name="gear" />
          </Link>
        )}
      </header>
      <main>
        <Troubles screen={place.view} />
        {children}
      </main>
    </>
  );
}

/** A fault that the screen itself does not tell. */
function Troubles({ screen }: { screen: string }) {
  const { texts } = useTexts();
  const trouble = useTrouble(screen);
  return (
    <div role="alert" class={trouble && 'note bad'}>
      {trouble && texts.trouble[trouble]}
    </div>
  );
}
