import { useEffect, useState } from 'preact/hooks';
import { useServiceNow } from '../clock.ts';
import { Button, Field, Heading, Icon, Link } from '../components.tsx';
import { useInstall } from '../install-prompt.ts';
import type { Kept } from '../kept-state.ts';
import { changeMe, exportMine, pauseUntil, resume } from '../participation.ts';
import { midnightAfter, pauseOf } from '../pauses.ts';
import type { Me } from '../snapshot.ts';
import { fill, type Language, useTexts } from '../strings/texts.ts';
import { momentText } from '../time.ts';
import { Section, useChange } from './change.tsx';
import { Farewell } from './farewell.tsx';
import { LanguageChoice } from './language-choice.tsx';
import { TimeForm } from './time-form.tsx';
import { ZoneSection } from './zone-choice.tsx';

interface Props {
  kept: Kept;
  onLanguage: (language: Language) => Promise<void>;
}

/** All that participants may decide about their participation. */
export function SettingsScreen({ kept, onLanguage }: Props) {
  const { texts } = useTexts();
  const { settings } = texts;
  const me = kept.snapshot?.me;
  const install = useInstall();
  return (
    <>
      <Heading>{settings.title}</Heading>
      {me && <p class="muted">{fill(settings.you, { name: me.name })}</p>}
      <Link to={{ view: 'reminders' }} class="card action">
        <Icon name="bell" />
        <span>{kept.reminders === 'on' ? texts.reminders.on : texts.reminders.title}</span>
      </Link>
      <Link to={{ view: 'about' }} class="card action">
        <span>{texts.about.title}</span>
      </Link>
      {install && (
        <Button class="wide" onClick={install}>
          {texts.install.button}
        </Button>
      )}
      {me && (
        <>
          <TimeForm time={me.customRemindersTime ?? ''} surveys={kept.snapshot?.surveys ?? []} />
          <QuietForm hours={me.quietHours} />
          <Pause me={me} clock={kept.clock} />
          <ZoneSection kept={kept} />
        </>
      )}
      <LanguageChoice onLanguage={onLanguage} />
      <Export />
      <Farewell kept={kept} />
      <Link to={{ view: 'join' }} class="button plain wide">
        {settings.newCode}
      </Link>
    </>
  );
}

const night = { from: '22:00', to: '07:00' };

function QuietForm({ hours }: { hours: { from: string; to: string } | undefined }) {
  const { settings } = useTexts().texts;
  const [isOn, setOn] = useState(hours !== undefined);
  const [span, setSpan] = useState(hours ?? night);
  useEffect(() => {
    setOn(hours !== undefined);
    if (hours) setSpan(hours);
  }, [hours?.from, hours?.to]);
  const { change, busy, status, say } = useChange();
  const save = (on: boolean) => {
    if (on && span.from === span.to) return say({ text: settings.twice, variant: 'bad' });
    return change(() => changeMe({ quietHours: on ? span : null }));
  };
  return (
    <Section title={settings.quiet} text={settings.quietText}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save(isOn);
        }}
      >
        <label class="choice">
          <input
            type="checkbox"
            checked={isOn}
            onChange={({ currentTarget }) => {
              setOn(currentTarget.checked);
              if (!currentTarget.checked && hours) void save(false);
            }}
          />
          <span>{settings.quietOn}</span>
        </label>
        {isOn && (
          <>
            <div class="two">
              {(['from', 'to'] as const).map((end) => (
                <Field key={end} label={settings[end]}>
                  {(ids) => (
                    <input
                      {...ids}
                      type="time"
                      required
                      value={span[end]}
                      onInput={({ currentTarget }) => setSpan({ ...span, [end]: currentTarget.value })}
                    />
                  )}
                </Field>
              ))}
            </div>
            <Button type="submit" busy={busy}>
              {settings.save}
            </Button>
          </>
        )}
        {status}
      </form>
    </Section>
  );
}

const pauseDays = [3, 7, 14];

function Pause({ me, clock }: { me: Me; clock: number }) {
  const now = useServiceNow(clock);
  const until = pauseOf(me, now);
  const { texts, locale } = useTexts();
  const { settings, today } = texts;
  const { change, busy, status } = useChange();
  const pause = (end: string | null) => change(() => pauseUntil(end));
  return (
    <Section title={settings.pause} text={settings.pauseText}>
      {until === undefined ? (
        <div class="buttons">
          <Button busy={busy} onClick={() => pause(midnightAfter(1, now))}>
            {settings.pauseTomorrow}
          </Button>
          {pauseDays.map((n) => (
            <Button key={n} busy={busy} onClick={() => pause(midnightAfter(n, now))}>
              {fill(settings.pauseDays, { n })}
            </Button>
          ))}
          <Button busy={busy} onClick={() => pause(null)}>
            {settings.pauseOpen}
          </Button>
        </div>
      ) : (
        <>
          <p>
            {until === null
              ? today.pausedOpen
              : fill(today.paused, { time: momentText(Date.parse(until), now, locale) })}
          </p>
          <Button variant="main" busy={busy} onClick={() => change(resume)}>
            {today.resume}
          </Button>
        </>
      )}
      {status}
    </Section>
  );
}

function Export() {
  const { settings } = useTexts().texts;
  const { change, busy, status } = useChange();
  return (
    <Section title={settings.data} text={settings.dataText}>
      <Button busy={busy} onClick={() => change(exportMine, settings.exported)}>
        {busy ? settings.exporting : settings.export}
      </Button>
      {status}
    </Section>
  );
}
