import { useState } from 'preact/hooks';
import { api, read } from '../../api.ts';
import { strings as common } from '../../common-strings.ts';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Form } from '../../components/form.tsx';
import { QrCode } from '../../components/qr-code.tsx';
import { Time } from '../../components/time.tsx';
import { useStudy } from '../../study-context.ts';
import { useDetails } from '../participants/participant-details.tsx';
import type { Code } from './codes.ts';
import { strings } from './enrolment-strings.ts';

/** Makes a code by which a participant who has joined by a code goes on with another phone, after a question. */
export function RelinkButton({ user, name }: { user: string; name: string }) {
  const { study, can } = useStudy();
  const { data } = useDetails(user);
  const [open, setOpen] = useState(false);
  if (!can('edit') || study.status !== 'active' || !data?.enrolment) return null;
  return (
    <>
      <Button icon="phone" onClick={() => setOpen(true)}>
        {strings.relink}
      </Button>
      {open && <RelinkDialog user={user} name={name} onClose={() => setOpen(false)} />}
    </>
  );
}

function RelinkDialog({ user, name, onClose }: { user: string; name: string; onClose: () => void }) {
  const { study } = useStudy();
  const [code, setCode] = useState<Code>();
  return (
    <Dialog title={strings.relinkTitle(name)} onClose={onClose}>
      {code ? (
        <div class="new-phone">
          <p>{strings.relinkAbout}</p>
          <QrCode text={code.url} label={strings.qr(code.code)} />
          <p class="enrolment-code" role="status">
            {code.code}
          </p>
          {code.expiresAt && (
            <p class="muted">
              {strings.relinkUntil} <Time at={code.expiresAt} />
            </p>
          )}
          <p>
            <CopyButton text={code.url} label={strings.copyLink} />
          </p>
        </div>
      ) : (
        <Form
          submit={strings.relinkMake}
          onSubmit={async () => {
            const { relink } = api.investigation[':id'].member[':user'];
            setCode(await read(relink.$post({ param: { id: study.identifier, user } })));
          }}
          beside={<Button onClick={onClose}>{common.cancel}</Button>}
        >
          <p>{strings.relinkQuestion}</p>
        </Form>
      )}
    </Dialog>
  );
}
