import { strings } from '../common-strings.ts';
import { Icon } from './icon.tsx';

/** The product's name, which leads to the person's studies. */
export const Brand = () => (
  <a class="brand" href="/console">
    <span class="brand-mark">
      <Icon name="bell" />
    </span>
    {strings.product}
  </a>
);
