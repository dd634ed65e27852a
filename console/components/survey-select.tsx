import { strings } from '../common-strings.ts';
import type { Survey } from '../names.ts';
import { Options } from './form.tsx';

interface Props {
  value: string;
  surveys: readonly Survey[];
  onChange: (survey: string) => void;
}

/** Chooses one survey. */
export const SurveySelect = ({ value, surveys, onChange, any }: Props & { any?: string }) => (
  <label>
    <span>{strings.survey}</span>
    <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
      {any !== undefined && <option value="">{any}</option>}
      <SurveyOptions surveys={surveys} chosen={value} />
    </select>
  </label>
);

/** Filters a screen by one survey, or shows all. */
export const SurveyFilter = (props: Props) => <SurveySelect {...props} any={strings.anySurvey} />;

export const SurveyOptions = ({
  surveys,
  chosen,
}: {
  surveys: readonly Survey[];
  chosen: string | undefined;
}) => (
  <>
    <Options of={surveys.map(({ identifier, name }) => [identifier, name])} chosen={chosen} />
  </>
);
