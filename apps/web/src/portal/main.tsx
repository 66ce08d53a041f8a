import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import '../shared/theme/tokens.css';
import { applyTheme } from '../shared/theme/theme.ts';
import { takeInvitation } from './invitation.ts';
import { Portal } from './portal.tsx';

applyTheme();
takeInvitation();
const place = document.querySelector('#app');
if (!place) throw new Error('the page has no place for the application');
createRoot(place).render(
  <StrictMode>
    <Portal />
  </StrictMode>,
);
