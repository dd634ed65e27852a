import {
  type ComponentChildren,
  createContext,
  type LooseInputHTMLAttributes,
  type LooseSelectHTMLAttributes,
  type TextareaHTMLAttributes,
} from 'preact';
import { useContext, useEffect, useId, useRef, useState } from 'preact/hooks';
import { formatDate, formatTime } from '../format.ts';
import { faultOf } from '../problem.ts';
import { Button } from './button.tsx';
import { ProblemNote } from './problem-note.tsx';

const Failure = createContext<unknown>(undefined);

interface FormProps {
  submit: string;
  kind?: 'primary' | 'danger';
  /** False while another step has to come first. */
  canSubmit?: boolean;
  /** Why nobody can submit it now, in the place of the button. */
  blocked?: string | undefined;
  /** Earlier faults of the service, shown beside the fields too. */
  fault?: unknown;
  /** Rejects with the service's problem, whose faults are shown beside their fields. */
  onSubmit: (form: FormData) => Promise<unknown>;
  /** Buttons beside the submit button. */
  beside?: ComponentChildren;
  children: ComponentChildren;
}

/** A form is busy while it is sent, keeps its text after a failure, and leads to the field at fault. */
export function Form({
  submit,
  kind = 'primary',
  canSubmit = true,
  blocked,
  fault,
  onSubmit,
  beside,
  children,
}: FormProps) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const ref = useRef<HTMLFormElement>(null);
  const mounted = useRef(true);
  useEffect(
    () => () => {
      mounted.current = false;
    },
    [],
  );
  useEffect(() => {
    if (error) ref.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-fault]')?.focus();
  }, [error]);

  async function send(form: HTMLFormElement) {
    setBusy(true);
    setError(undefined);
    try {
      await onSubmit(new FormData(form));
    } catch (failure) {
      if (mounted.current) setError(failure);
    }
    if (mounted.current) setBusy(false);
  }

  return (
    <form
      ref={ref}
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy && canSubmit && blocked === undefined) void send(event.currentTarget);
      }}
    >
      <Failure.Provider value={error ?? fault}>{children}</Failure.Provider>
      {error !== undefined && <ProblemNote error={error} />}
      <div class="form-buttons">
        {beside}
        {blocked !== undefined ? (
          <p class="muted" role="status">
            {blocked}
          </p>
        ) : (
          canSubmit && (
            <Button type="submit" kind={kind} busy={busy}>
              {submit}
            </Button>
          )
        )}
      </div>
    </form>
  );
}

export interface FieldProps {
  label: string;
  /** JSON pointer to the value in the body of the request. */
  pointer?: string | undefined;
  hint?: string | undefined;
}

/** Common to every kind of field: a label, a hint, and the service's fault. */
function useField({ pointer, hint }: Omit<FieldProps, 'label'>, isExact = false) {
  const id = useId();
  const error = useContext(Failure);
  const fault = pointer === undefined ? undefined : faultOf(error, pointer, isExact);
  const described = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(' ');
  return {
    id,
    fault,
    attributes: {
      id,
      ...(described && { 'aria-describedby': described }),
      ...(fault && { 'aria-invalid': true as const }),
    },
  };
}

/** An input between its hint and its fault, which `useField` names. */
function Described({
  id,
  hint,
  fault,
  children,
}: {
  id: string;
  hint?: string | undefined;
  fault: string | undefined;
  children: ComponentChildren;
}) {
  return (
    <>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {children}
      {fault && (
        <p class="fault" id={`${id}-fault`}>
          {fault}
        </p>
      )}
    </>
  );
}

function Labelled({
  id,
  label,
  hint,
  fault,
  children,
}: {
  id: string;
  label: string;
  hint?: string | undefined;
  fault: string | undefined;
  children: ComponentChildren;
}) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <Described id={id} hint={hint} fault={fault}>
        {children}
      </Described>
    </div>
  );
}

export function TextField({
  label,
  pointer,
  hint,
  ...more
}: FieldProps & Omit<LooseInputHTMLAttributes, 'label' | 'id'>) {
  const { id, fault, attributes } = useField({ pointer, hint });
  return (
    <Labelled id={id} label={label} hint={hint} fault={fault}>
      <input {...({ type: 'text', autocomplete: 'off', ...more, ...attributes } as object)} />
    </Labelled>
  );
}

/** The options of a select: values with their texts. */
export const Options = ({
  of,
  chosen,
}: {
  of: readonly (readonly [string, string | undefined])[];
  chosen?: string | undefined;
}) => (
  <>
    {of.map(([value, text]) => (
      <option key={value} value={value} selected={chosen === undefined ? undefined : value === chosen}>
        {text}
      </option>
    ))}
  </>
);

export function SelectField({
  label,
  pointer,
  hint,
  children,
  ...more
}: FieldProps & Omit<LooseSelectHTMLAttributes, 'label' | 'id'>) {
  const { id, fault, attributes } = useField({ pointer, hint });
  return (
    <Labelled id={id} label={label} hint={hint} fault={fault}>
      <select {...({ ...more, ...attributes } as object)}>{children}</select>
    </Labelled>
  );
}

export function TextAreaField({
  label,
  pointer,
  hint,
  ...more
}: FieldProps & Omit<TextareaHTMLAttributes, 'label' | 'id'>) {
  const { id, fault, attributes } = useField({ pointer, hint });
  return (
    <Labelled id={id} label={label} hint={hint} fault={fault}>
      <textarea rows={4} {...({ ...more, ...attributes } as object)} />
    </Labelled>
  );
}

/** A date, or a moment, repeated in words: the browser writes the field in its own language. */
export function DateField({
  type = 'date',
  defaultValue = '',
  ...more
}: FieldProps & {
  type?: 'date' | 'datetime-local';
  name: string;
  defaultValue?: string;
  required?: boolean;
  min?: string;
  max?: string;
}) {
  const [typed, setTyped] = useState(defaultValue);
  const at = typed && new Date(typed);
  return (
    <div class="field">
      <TextField
        {...more}
        type={type}
        defaultValue={defaultValue}
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
      {at && <p class="hint">{type === 'date' ? formatDate(typed) : formatTime(at.toISOString())}</p>}
    </div>
  );
}

/** A box to tick, or with `type` `radio` one of several. */
export function Choice({
  label,
  hint,
  type = 'checkbox',
  ...more
}: Omit<FieldProps, 'pointer'> & Omit<LooseInputHTMLAttributes, 'label' | 'id'>) {
  const id = useId();
  return (
    <div class="choice">
      <input {...({ ...more, id, type, ...(hint && { 'aria-describedby': `${id}-hint` }) } as object)} />
      <div>
        <label for={id}>{label}</label>
        {hint && (
          <p class="hint" id={`${id}-hint`}>
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}

/** Several choices, one of which the person makes: each with its value in the form. */
export const OneOf = <Value extends string>({
  name,
  of,
  chosen,
  required = false,
  onChoose,
  ...group
}: FieldProps & {
  name: string;
  of: readonly (readonly [Value, { label: string; hint?: string }])[];
  /** At first. */
  chosen?: Value;
  required?: boolean;
  onChoose?: (value: Value) => void;
}) => (
  <Group {...group}>
    {of.map(([value, text]) => (
      <Choice
        key={value}
        type="radio"
        name={name}
        value={value}
        {...text}
        required={required}
        defaultChecked={value === chosen}
        onChange={() => onChoose?.(value)}
      />
    ))}
  </Group>
);

/** A group of fields with its own faults. `fault` is found by this page, in addition to those of the service. */
export function Group({
  label,
  pointer,
  hint,
  fault: pageFault,
  children,
}: FieldProps & { fault?: string | undefined; children: ComponentChildren }) {
  const { id, fault: serviceFault, attributes } = useField({ pointer, hint }, true);
  const fault = pageFault ?? serviceFault;
  const described = attributes['aria-describedby'] ?? (fault && `${id}-fault`);
  return (
    <fieldset
      class="group"
      {...(described && { 'aria-describedby': described })}
      {...(fault && { 'data-fault': true, tabIndex: -1 })}
    >
      <legend>{label}</legend>
      <Described id={id} hint={hint} fault={fault}>
        {children}
      </Described>
    </fieldset>
  );
}
