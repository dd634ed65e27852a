import { Button } from './button.tsx';

/** A filter that came by a link, and can be taken away. */
export const Chip = ({ text, label, onRemove }: { text: string; label: string; onRemove: () => void }) => (
  <span class="chip" dir="auto">
    {text}
    <Button kind="quiet" icon="close" hideLabel onClick={onRemove}>
      {label}
    </Button>
  </span>
);
