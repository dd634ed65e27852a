import { api } from '../../api.ts';
import { Door } from '../../components/door.tsx';
import { Form, TextField } from '../../components/form.tsx';
import { ZoneField } from '../../components/zone-field.tsx';
import { strings } from './sign-in-strings.ts';

/** The first visit: the service asks for a name. */
export function SignUp({ onDone }: { onDone: () => void }) {
  async function signUp(form: FormData) {
    await api.user.$post({
      json: { name: String(form.get('name')).trim(), timeZone: String(form.get('timeZone')) },
    });
    onDone();
  }
  return (
    <Door title={strings.signUpTitle}>
      <p class="muted">{strings.signUpAbout}</p>
      <Form submit={strings.signUp} onSubmit={signUp}>
        <TextField label={strings.name} name="name" pointer="/name" autocomplete="name" required />
        <ZoneField label={strings.zone} name="timeZone" pointer="/timeZone" />
      </Form>
    </Door>
  );
}
