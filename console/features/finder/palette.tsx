import { useId, useMemo, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { type Action, ask } from '../../actions.ts';
import { useAnswer } from '../../answers.ts';
import { api } from '../../api.ts';
import { strings as common } from '../../common-strings.ts';
import { Dialog } from '../../components/dialog.tsx';
import { whole } from '../../names.ts';
import { may, type Right } from '../../roles.ts';
import { screensFor } from '../../screens.ts';
import { strings } from './finder-strings.ts';
import { type Findable, findIn } from './search.ts';

type Group = keyof typeof strings.groups;
const groups = Object.keys(strings.groups) as Group[];

/** Of each kind, so that none hides the others. */
const mostOfGroup = 7;
const limit = '1000';
const ofStudy = api.investigation[':id'];

interface Props {
  /** The study that is open. */
  study: string | undefined;
  onClose: () => void;
  onKeys: () => void;
}

/** Finds screens, people, cases, surveys and studies by their words, and opens the chosen one. */
export function Palette({ study, onClose, onKeys }: Props) {
  const { route } = useLocation();
  const [text, setText] = useState('');
  const [place, setPlace] = useState(0);
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const all = useFindables(study, text);
  const sections = useMemo(
    () => groups.map((group) => ({ group, rows: findIn(all[group], text, mostOfGroup) })),
    [all, text],
  );
  const rows = sections.flatMap(({ rows }) => rows);
  const chosen = rows[Math.min(place, rows.length - 1)];

  const open = (entry: Findable | undefined) => {
    if (!entry) return;
    if (entry.href === '#keys') return onKeys();
    onClose();
    // The dialog gives the focus back first: the screen then takes it.
    setTimeout(() => {
      if (!entry.action || location.pathname !== entry.href) route(entry.href);
      if (entry.action) ask(entry.action);
    });
  };
  const move = (to: number) => {
    const next = (to + rows.length) % rows.length;
    setPlace(next);
    list.current?.querySelectorAll('[role="option"]')[next]?.scrollIntoView({ block: 'nearest' });
  };

  const combobox: object = {
    role: 'combobox',
    'aria-expanded': rows.length > 0,
    'aria-controls': `${id}-list`,
    'aria-autocomplete': 'list',
    'aria-activedescendant': chosen && `${id}-${chosen.id}`,
  };

  return (
    <Dialog title={strings.title} isLight onClose={onClose}>
      <div class="palette">
        <input
          type="search"
          {...combobox}
          aria-label={strings.field}
          placeholder={strings.field}
          autocomplete="off"
          spellcheck={false}
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value);
            setPlace(0);
          }}
          onKeyDown={(event) => {
            if (event.isComposing) return;
            if (event.key === 'ArrowDown') move(place + 1);
            else if (event.key === 'ArrowUp') move(place - 1);
            else if (event.key === 'Enter') open(chosen);
            // The browser would empty the field first.
            else if (event.key === 'Escape') onClose();
            else return;
            event.preventDefault();
          }}
        />
        <p class="hidden-label" role="status">
          {text && strings.found(rows.length)}
        </p>
        <div
          ref={list}
          tabIndex={-1}
          class="palette-list"
          id={`${id}-list`}
          role="listbox"
          aria-label={strings.results}
        >
          {sections.map(
            ({ group, rows: entries }) =>
              entries.length > 0 && (
                // biome-ignore lint/a11y/useSemanticElements: a group of a list box is no field set
                <div key={group} role="group" aria-label={strings.groups[group]}>
                  <p class="palette-group" aria-hidden="true">
                    {strings.groups[group]}
                  </p>
                  {entries.map((entry) => (
                    // biome-ignore lint/a11y/useFocusableInteractive: the field has the focus and names the option
                    // biome-ignore lint/a11y/useKeyWithClickEvents: keys are the field's
                    <div
                      key={entry.id}
                      id={`${id}-${entry.id}`}
                      class="palette-option"
                      role="option"
                      aria-selected={entry === chosen}
                      dir="auto"
                      onClick={() => open(entry)}
                      onPointerMove={() => setPlace(rows.indexOf(entry))}
                    >
                      {entry.label}
                    </div>
                  ))}
                </div>
              ),
          )}
        </div>
        {rows.length === 0 && <p class="muted">{strings.none(text)}</p>}
        <p class="hint">
          {strings.help} {study && all.hasMore && strings.firstOnes}
        </p>
      </div>
    </Dialog>
  );
}

/** Everything that can be found. Participants beyond the first thousand are found by their whole code. */
function useFindables(study: string | undefined, text: string) {
  const studies = useAnswer(['palette-studies'], (options) =>
    api.investigation.$get({ query: { limit: '100' } }, options),
  ).data;
  const param = { id: study ?? '' };
  const opened = useAnswer(
    ['study', param.id],
    study !== undefined && ((options) => ofStudy.$get({ param }, options)),
  ).data;
  const role = opened?.role;
  const members = useAnswer(
    ['palette-members', study, role],
    role && whole((cursor, options) => ofStudy.members.$get({ param, query: { limit, cursor } }, options)),
  ).data;
  const cases = useAnswer(
    ['palette-cases', study],
    study !== undefined &&
      whole((cursor, options) =>
        ofStudy.cases.$get({ param, query: { status: 'all', limit, cursor } }, options),
      ),
  ).data;
  const surveys = useAnswer(
    ['palette-surveys', study],
    study !== undefined && ((options) => ofStudy.surveys.$get({ param, query: { limit } }, options)),
  ).data;
  // A text that is no code is refused, and finds nobody.
  const code = members?.next !== undefined && /^\S{1,40}$/.test(text) ? text : '';
  const coded = useAnswer(
    ['palette-code', study, code],
    code !== '' && ((options) => ofStudy.members.$get({ param, query: { code } }, options)),
  ).data;

  return useMemo(() => {
    const path = (below: string) => `/console/studies/${study}${below}`;
    const can = (right: Right) => opened !== undefined && may(opened, right);
    const people = [...(coded?.members ?? []), ...(members?.members ?? [])];
    const screens = opened && study ? screensFor(opened) : [];
    const more = [
      ...(can('readAll') ? [{ id: 'go-queue', label: strings.queue, href: path('/queue') }] : []),
      ...(can('edit') ? [{ id: 'go-codes', label: strings.codes, href: path('/members/codes') }] : []),
    ];
    const isActive = opened?.status === 'active';
    const isOpen = isActive && !opened?.frozenAt;
    const action = (name: Action, href: string, label: string = strings.actions[name]) => ({
      id: `do-${name}`,
      label,
      href,
      action: name,
    });
    return {
      actions: [
        ...(isOpen && can('record') ? [action('new-case', path('/data'))] : []),
        ...(isOpen && can('design') ? [action('new-survey', path('/surveys'))] : []),
        ...(isActive && can('own') ? [action('invite', path('/members'))] : []),
        ...(opened && !opened.frozenAt ? [action('lock', path('/data'))] : []),
        ...(can('own')
          ? [action('freeze', path('/data'), strings.actions[opened?.frozenAt ? 'end-freeze' : 'freeze'])]
          : []),
        action('new-study', '/console'),
      ],
      screens: [
        ...screens.flatMap(({ path: below, entry }) =>
          entry ? [{ id: `go${below.replaceAll('/', '-')}`, label: entry.label, href: path(below) }] : [],
        ),
        ...more,
        { id: 'go-studies', label: common.nav.allStudies, href: '/console' },
        { id: 'go-keys', label: strings.keys, href: '#keys' },
      ],
      participants: can('readAll')
        ? [...new Map(people.map((entry) => [entry.identifier, entry])).values()].map(
            ({ identifier, name, code }) => ({
              id: `p-${identifier}`,
              label: code === undefined ? name : `${name}, ${code}`,
              href: path(`/participants/${identifier}`),
            }),
          )
        : [],
      cases: (cases?.cases ?? []).map(({ identifier, label }) => ({
        id: `c-${identifier}`,
        label,
        href: path(`/data/cases/${identifier}`),
      })),
      surveys: (surveys?.surveys ?? []).map(({ identifier, name }) => ({
        id: `s-${identifier}`,
        label: name,
        href: path(`/surveys/${identifier}`),
      })),
      studies: (studies?.investigations ?? []).map(({ identifier, name }) => ({
        id: `i-${identifier}`,
        label: name,
        href: `/console/studies/${identifier}`,
      })),
      hasMore: [members, cases, surveys].some((page) => page?.next !== undefined),
    };
  }, [study, opened, studies, members, coded, cases, surveys]);
}
