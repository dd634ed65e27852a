import type { ComponentChildren, LooseInputHTMLAttributes, TextareaHTMLAttributes } from 'preact';
import { useId, useState } from 'preact/hooks';
import { formatDate, formatTime } from '../format.ts';
import { Described, type FieldProps, Labelled, TextField, useField } from './form.tsx';

/* The fields of a form other than single lines of text. */

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

/** A group of fields with its own faults. `fault` is found by this page, in addition to those of the service. */
export function Group({
  label,
  pointer,
  hint,
  fault: own,
  children,
}: FieldProps & { fault?: string | undefined; children: ComponentChildren }) {
  const { id, fault: found, attributes } = useField({ pointer, hint }, true);
  const fault = own ?? found;
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
