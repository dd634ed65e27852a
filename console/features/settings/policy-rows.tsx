import { useState } from 'preact/hooks';
import type { Study } from '../../api.ts';
import { Button } from '../../components/button.tsx';
import { Group, Options, SelectField } from '../../components/form.tsx';
import { RuleFields } from '../../components/property-fields.tsx';
import { type Property, ruleIn } from '../../groups.ts';
import { strings } from './settings-strings.ts';

type GroupPolicy = NonNullable<Study['lockPolicy']['groups']>[number];

const { groupLocks } = strings;
const fieldOf = (key: string, part: 'unlock' | 'signature') => `group-lock ${key} ${part}`;

/** The rules of groups that a form has; one without a ticked value, or without a rule, is left out. */
export function groupPoliciesIn(form: FormData, declared: readonly Property[]): GroupPolicy[] {
  const keys = [...form.keys()].flatMap((name) => /^group-lock (\d+) unlock$/.exec(name)?.[1] ?? []);
  return keys.flatMap((key) => {
    const properties = ruleIn(form, declared, key);
    const unlock = form.get(fieldOf(key, 'unlock'));
    const signature = form.get(fieldOf(key, 'signature'));
    if (!properties || !(unlock || signature)) return [];
    return [
      {
        properties,
        ...((unlock === 'owners' || unlock === 'viewers') && { unlock }),
        ...(signature && { signature: signature === 'yes' }),
      },
    ];
  });
}

/** Rules for the locks of groups, which go before those of the study; `groupPoliciesIn` reads them. */
export function PolicyRows({
  properties,
  groups,
}: {
  properties: readonly Property[];
  groups: readonly GroupPolicy[];
}) {
  const open = properties.filter(({ blinded }) => !blinded);
  const [rows, setRows] = useState<readonly (Partial<GroupPolicy> & { key: number })[]>(() =>
    groups.map((group, key) => ({ key, ...group })),
  );
  if (open.length === 0) return null;
  return (
    <Group label={groupLocks.title} hint={groupLocks.hint} pointer="/lockPolicy/groups">
      {rows.map(({ key, properties: rule, unlock = '', signature }, n) => (
        <Group key={key} label={groupLocks.row(n + 1)} pointer={`/lockPolicy/groups/${n}`}>
          <RuleFields
            label={groupLocks.group}
            properties={open}
            rule={rule}
            pointer={`/lockPolicy/groups/${n}/properties`}
            of={String(key)}
          />
          <SelectField label={strings.unlock} name={fieldOf(String(key), 'unlock')}>
            <option value="">{groupLocks.asStudy}</option>
            <Options
              of={Object.entries(strings.unlockBy).map(([value, { label }]) => [value, label])}
              chosen={unlock}
            />
          </SelectField>
          <SelectField label={groupLocks.signature} name={fieldOf(String(key), 'signature')}>
            <option value="">{groupLocks.asStudy}</option>
            <Options
              of={[
                ['yes', groupLocks.signed],
                ['no', groupLocks.unsigned],
              ]}
              chosen={signature === undefined ? '' : signature ? 'yes' : 'no'}
            />
          </SelectField>
          <Button
            kind="quiet"
            icon="trash"
            aria-label={groupLocks.removeOf(n + 1)}
            onClick={() => setRows((all) => all.filter((row) => row.key !== key))}
          >
            {strings.removeProperty}
          </Button>
        </Group>
      ))}
      <Button
        icon="plus"
        onClick={() => setRows((all) => [...all, { key: Math.max(-1, ...all.map((row) => row.key)) + 1 }])}
      >
        {groupLocks.add}
      </Button>
    </Group>
  );
}
