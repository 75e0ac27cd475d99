import '@homing/theme/base.css'
import './admin.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App, createAdminRouter } from './App.tsx'

const root = document.getElementById('root')
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <App router={createAdminRouter()} />
    </StrictMode>,
  )
}
