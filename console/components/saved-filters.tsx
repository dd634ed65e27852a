import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { strings } from '../common-strings.ts';
import { useStored } from '../stored.ts';
import { useStudy } from '../study-context.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Form, Options, TextField } from './form.tsx';

interface Saved {
  name: string;
  /** The query of the address. */
  search: string;
}

/** The filters of a screen under names of the person's own, in this browser. */
export function SavedFilters({ screen }: { screen: string }) {
  const { study } = useStudy();
  const { url, path, route } = useLocation();
  const [saved, keep] = useStored<readonly Saved[]>(`filters.${study.identifier}.${screen}`, []);
  const [open, setOpen] = useState(false);
  const search = url.includes('?') ? url.slice(url.indexOf('?')) : '';
  const current = saved.find((filter) => filter.search === search);
  const { filters } = strings;
  return (
    <>
      <label>
        <span>{filters.label}</span>
        <select
          value={current?.name ?? ''}
          onChange={({ currentTarget: { value } }) => {
            const chosen = saved.find(({ name }) => name === value);
            if (chosen) route(path + chosen.search, true);
            else if (value === manage) setOpen(true);
          }}
        >
          <option value="">{filters.none}</option>
          <Options of={saved.map(({ name }) => [name, name])} />
          <option value={manage}>{filters.manage}</option>
        </select>
      </label>
      {open && (
        <Dialog title={filters.title} onClose={() => setOpen(false)}>
          <p class="muted">{filters.about}</p>
          <Form
            submit={filters.save}
            onSubmit={async (form) => {
              const name = String(form.get('name')).trim();
              keep((now) => [...now.filter((filter) => filter.name !== name), { name, search }]);
              setOpen(false);
            }}
          >
            <TextField label={filters.name} name="name" required maxLength={60} />
          </Form>
          {saved.length > 0 && (
            <ul class="plain-list saved-filters">
              {saved.map((filter) => (
                <li key={filter.name}>
                  <bdi>{filter.name}</bdi>
                  <Button
                    kind="quiet"
                    icon="trash"
                    aria-label={filters.deleteOf(filter.name)}
                    onClick={() => keep((now) => now.filter((other) => other.name !== filter.name))}
                  >
                    {filters.delete}
                  </Button>
                </li>
              ))}
            </ul>
          )}
        </Dialog>
      )}
    </>
  );
}

/** No name of a person's own: names are trimmed. */
const manage = ' ';
