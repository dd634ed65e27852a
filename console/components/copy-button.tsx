import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { strings } from '../common-strings.ts';
import { Button } from './button.tsx';

/** Copies a text, and says so. If the browser does not allow that, the text is there to select. */
export function CopyButton({ text, label = strings.copy }: { text: string; label?: string }) {
  const [copied, setCopied] = useState(false);
  const [isDenied, setIsDenied] = useState(false);
  async function copy() {
    try {
      // Absent without https.
      await navigator.clipboard.writeText(text);
    } catch {
      setIsDenied(true);
      return;
    }
    setCopied(true);
    setTimeout(() => setCopied(false), 2_000);
  }
  return (
    <span class="copy">
      <Button icon={copied ? 'check' : 'copy'} onClick={() => void copy()}>
        {label}
      </Button>
      <span role="status" class="hidden-label">
        {copied && strings.copied}
      </span>
      {isDenied && <Selectable text={text} />}
    </span>
  );
}

const maxRows = 8;

function Selectable({ text }: { text: string }) {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.select(), []);
  return (
    <span class="copy-by-hand">
      <label for={id}>{strings.copyByHand}</label>
      <textarea
        ref={field}
        id={id}
        readOnly
        rows={Math.min(maxRows, text.split('\n').length + 1)}
        value={text}
        onFocus={(event) => event.currentTarget.select()}
      />
    </span>
  );
}
