import type { Api, InferResponseType } from '@fieldbell/client';
import { useEffect, useState } from 'react';
import { Button, ScrollView, Text, TextInput } from 'react-native';
import { listen } from './events.ts';
import { client, phone } from './phone.ts';

type Survey = InferResponseType<Api['survey'][':id']['$get']>;

/** One screen: the surveys of the person's first study, and the one that a reminder has opened. */
export function Screen() {
  const [surveys, setSurveys] = useState<Survey[]>([]);
  const [open, setOpen] = useState<string>();
  const [message, setMessage] = useState('');

  useEffect(() => {
    const say = (error: unknown) => setMessage(error instanceof Error ? error.message : String(error));
    phone.start().then(({ device, refused }) => {
      if (device === null) setMessage('This phone gets no reminders: allow notifications.');
      if (refused.length > 0) setMessage('An answer was refused, and is kept here.');
    }, say);
    readSurveys().then(setSurveys, say);
    return listen(setOpen);
  }, []);

  const survey = surveys.find(({ identifier }) => identifier === open);
  return (
    <ScrollView contentContainerStyle={{ padding: 24, paddingTop: 72, gap: 16 }}>
      {message !== '' && <Text accessibilityRole="alert">{message}</Text>}
      {survey ? (
        <Answer survey={survey} done={() => setOpen(undefined)} />
      ) : (
        surveys.map(({ identifier, name }) => (
          <Button key={identifier} title={name} onPress={() => setOpen(identifier)} />
        ))
      )}
    </ScrollView>
  );
}

function Answer({ survey, done }: { survey: Survey; done: () => void }) {
  const [items, setItems] = useState<Record<string, string>>({});
  async function send() {
    const { identifier, investigation } = survey;
    const label = `${survey.name}, ${new Date().toLocaleString()}`;
    await phone.answered({ investigation, survey: identifier, label, items });
    done();
  }
  return (
    <>
      <Text accessibilityRole="header">{survey.name}</Text>
      {survey.items.map(({ identifier, label }) => (
        <TextInput
          key={identifier}
          accessibilityLabel={label}
          placeholder={label}
          onChangeText={(text) => setItems((before) => ({ ...before, [identifier]: text }))}
        />
      ))}
      <Button title="Send" onPress={() => void send()} />
    </>
  );
}

/** The surveys of the first study. A download starts `fixed` reminders, and repeating it changes nothing. */
async function readSurveys(): Promise<Survey[]> {
  const { api } = client;
  const [study] = (await (await api.investigation.$get()).json()).investigations;
  if (!study) return [];
  const param = { id: study.identifier };
  const { surveys } = await (await api.investigation[':id'].surveys.$get({ param })).json();
  for (const { identifier } of surveys) await api.survey[':id'].download.$post({ param: { id: identifier } });
  return surveys;
}
