import './expo/globals.ts';
import { registerRootComponent } from 'expo';
import { listenInBackground } from './expo/events.ts';
import { Screen } from './expo/screen.tsx';

listenInBackground();
registerRootComponent(Screen);
