import { Button } from '../components.tsx';
import { fill, useTexts } from '../strings/texts.ts';

interface Props {
  id: string | undefined;
  readings: { whole: string; decimal: string };
  onRead: (reading: string) => void;
}

/** 10,000 is ten thousand to some people, and ten to others: the page asks, since a wrong guess is another answer. */
export function Reading({ id, readings: { whole, decimal }, onRead }: Props) {
  const { texts, locale } = useTexts();
  const [, sign = '.'] = /1(.)5/.exec((1.5).toLocaleString(locale)) ?? [];
  const shown = { whole: whole.replace(/(?=\d{3}$)/, '\u202f'), decimal: decimal.replace('.', sign) };
  return (
    <fieldset class="reading-choice">
      <legend class="fault" id={id}>
        {fill(texts.survey.ambiguous, shown)}
      </legend>
      <div class="buttons">
        <Button onClick={() => onRead(whole)}>{shown.whole}</Button>
        <Button onClick={() => onRead(decimal)}>{shown.decimal}</Button>
      </div>
    </fieldset>
  );
}
