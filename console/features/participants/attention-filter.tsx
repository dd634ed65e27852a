import type { ComponentChildren } from 'preact';
import { CodeFilter } from '../../components/code-filter.tsx';
import { Options } from '../../components/form.tsx';
import { attentions } from './participant-counts.ts';
import { strings } from './participant-list-strings.ts';

interface Props {
  attention: string;
  code: string;
  onChange: (change: { attention?: string; code: string }) => void;
  /** Options of the screen's own. */
  children?: ComponentChildren;
}

/** Narrows a list to the participants of a reason, or to the one with a code: either takes the place of the other. */
export const AttentionFilter = ({ attention, code, onChange, children }: Props) => (
  <>
    <label>
      <span>{strings.show}</span>
      <select
        value={attention}
        onChange={(event) => onChange({ attention: event.currentTarget.value, code: '' })}
      >
        <option value="">{strings.everyone}</option>
        <Options of={attentions.map((reason) => [reason, strings.reasons[reason]])} />
        {children}
      </select>
    </label>
    <CodeFilter
      value={attention ? '' : code}
      onChange={(typed) => onChange({ code: typed, ...(typed && { attention: '' }) })}
    />
  </>
);
