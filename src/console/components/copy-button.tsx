import { useState } from 'preact/hooks';
import { strings } from '../common-strings.ts';
import { Button } from './button.tsx';

/** Copies a text, and confirms that. */
export function CopyButton({ text, label = strings.copy }: { text: string; label?: string }) {
  const [copied, setCopied] = useState(false);
  async function copy() {
    await navigator.clipboard.writeText(text);
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
    </span>
  );
}
