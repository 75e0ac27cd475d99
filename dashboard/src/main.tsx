import '@homing/theme/base.css'
import './look.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { followOtherTabs } from './api/session.ts'
import { App } from './App.tsx'
import { adoptPath } from './routes.ts'

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no element #root')
adoptPath()
followOtherTabs()
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
