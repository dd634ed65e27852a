/* Items of surveys, as a request has them. */

export const option = (value: string, label = `It was ${value}`) => ({ value, label });

export const choice = (...options: object[]) => ({ kind: 'choice', options });
export const choices = (...options: object[]) => ({ kind: 'choices', options });

export const item = (identifier: string, answer?: object, label = `Question ${identifier}`) => ({
  identifier,
  label,
  ...(answer && { answer }),
});
