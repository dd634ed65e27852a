import { strings } from '../common-strings.ts';

/** Narrows a list to the dates from one to another. */
export const PeriodFields = ({
  from = '',
  to = '',
  onChange,
}: {
  from?: string | undefined;
  to?: string | undefined;
  onChange: (change: { from?: string; to?: string }) => void;
}) => (
  <>
    <label>
      <span>{strings.from}</span>
      <input type="date" value={from} onChange={(event) => onChange({ from: event.currentTarget.value })} />
    </label>
    <label>
      <span>{strings.to}</span>
      <input type="date" value={to} onChange={(event) => onChange({ to: event.currentTarget.value })} />
    </label>
  </>
);
