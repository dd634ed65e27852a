import { createClient } from '@fieldbell/client';
import AsyncStorage from '@react-native-async-storage/async-storage';
import { getCalendars, getLocales } from 'expo-localization';
import { createPhone } from '../logic/phone.ts';
import { settings } from './settings.ts';
import { system } from './system.ts';

export const client = createClient({ baseUrl: settings.url, token: () => settings.token });

export const phone = createPhone({
  client,
  system,
  store: AsyncStorage,
  about: () => ({
    name: settings.name,
    timeZone: getCalendars()[0]?.timeZone ?? 'UTC',
    language: getLocales()[0]?.languageTag ?? 'en',
  }),
});
