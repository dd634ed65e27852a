import type { ComponentChildren } from 'preact';
import { strings } from '../common-strings.ts';
import { useDownload } from '../download.ts';
import { formatBytes } from '../format.ts';
import { messageOf } from '../problem.ts';
import { Button } from './button.tsx';
import type { IconName } from './icon.tsx';
import { useToast } from './toast.tsx';

interface Props {
  /** A path of the service. */
  path: string;
  accept?: string;
  /** The name of the file. */
  file: string;
  icon?: IconName;
  explain?: (error: unknown) => string;
  children: ComponentChildren;
}

/** Saves an answer of the service as a file. Its length is unknown, so the button shows the bytes received so far. */
export function DownloadButton({
  path,
  accept = 'application/json',
  file,
  icon = 'download',
  explain = messageOf,
  children,
}: Props) {
  const toast = useToast();
  const { bytes, save } = useDownload();
  const press = () =>
    save({ path, accept, file }).catch((error: unknown) => toast({ text: explain(error), isFailure: true }));
  return (
    <Button icon={icon} busy={bytes !== undefined} onClick={() => void press()}>
      {children} {bytes ? <span class="muted">{strings.received(formatBytes(bytes))}</span> : null}
    </Button>
  );
}
