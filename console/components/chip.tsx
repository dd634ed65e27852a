import { Button } from './button.tsx';

/** A filter from a link, which can be removed. */
export const Chip = ({ text, label, onRemove }: { text: string; label: string; onRemove: () => void }) => (
  <span class="chip" dir="auto">
    {text}
    <Button kind="quiet" icon="close" hideLabel onClick={onRemove}>
      {label}
    </Button>
  </span>
);
