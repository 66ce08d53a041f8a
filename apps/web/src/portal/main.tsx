import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import '../shared/theme/tokens.css';
import { applyTheme } from '../shared/theme/theme.ts';
import { storeInvitation } from './invitation.ts';
import { Portal } from './portal.tsx';

applyTheme();
storeInvitation();
const root = document.querySelector('#app');
if (!root) throw new Error('The page has no #app element.');
createRoot(root).render(
  <StrictMode>
    <Portal />
  </StrictMode>,
);
