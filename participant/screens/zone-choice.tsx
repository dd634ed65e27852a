import { Button, Field, Link } from '../components.tsx';
import type { Kept } from '../kept-state.ts';
import { chooseZone } from '../participation.ts';
import { keep } from '../store.ts';
import { fill, useTexts } from '../strings/texts.ts';
import { deviceZone, isNameless, knownZones } from '../zone.ts';
import { Section, useChange } from './change.tsx';

const studyZoneOf = ({ snapshot }: Kept) => snapshot?.studies[0]?.timeZone;

/** The zone that reminders go by, and the choice of another: some browsers hide theirs. */
export function ZoneSection({ kept }: { kept: Kept }) {
  const { texts, language } = useTexts();
  const { zone } = texts;
  const { change, busy, status } = useChange();
  const own = deviceZone();
  const study = studyZoneOf(kept);
  const present = kept.chosenZone ?? own ?? kept.snapshot?.me.timeZone ?? study;
  if (!present || !study) return null;
  const text = own === undefined && !kept.chosenZone ? zone.hidden : zone.text;
  const known = new Set([present, study, ...knownZones()].filter((name) => name !== own));
  return (
    <Section title={zone.title} text={fill(text, { zone: present })}>
      <Field label={zone.title}>
        {(ids) => (
          <select
            {...ids}
            value={present}
            aria-disabled={busy}
            onChange={({ currentTarget: { value } }) =>
              void change(() => chooseZone(value === own ? undefined : value, language))
            }
          >
            {own && <option value={own}>{fill(zone.asPhone, { zone: own })}</option>}
            {[...known].map((name) => (
              <option key={name} value={name}>
                {name === study ? fill(zone.asStudy, { zone: name }) : name}
              </option>
            ))}
          </select>
        )}
      </Field>
      {status}
    </Section>
  );
}

/** Asked once where the browser hides its zone, and the study has one. */
export function ZoneQuestion({ kept }: { kept: Kept }) {
  const { texts, language } = useTexts();
  const { zone } = texts;
  const { change, busy, status } = useChange();
  const study = studyZoneOf(kept);
  if (!study || isNameless(study) || deviceZone() || kept.chosenZone || kept.isZoneAsked) return null;
  return (
    <section class="card">
      <p>{fill(zone.ask, { zone: study })}</p>
      <div class="buttons">
        <Button busy={busy} onClick={() => change(() => chooseZone(study, language))}>
          {zone.yes}
        </Button>
        <Link to={{ view: 'settings' }} class="button plain" onPress={() => void keep('zone-asked', true)}>
          {zone.other}
        </Link>
      </div>
      {status}
    </section>
  );
}
