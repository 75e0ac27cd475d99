import '@homing/theme/base.css'
import './look.css'
import { homingTheme } from '@homing/theme'
import { ThemeProvider } from '@mui/material/styles'
import { StrictMode } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { adoptSession } from './api/account.ts'
import { watchAppVersion } from './api/app-version.ts'
import { rememberPlanAt } from './api/intended-plan.ts'
import { doubtSession, followOtherTabs, isUserKnown } from './api/session.ts'
import { rememberWish } from './api/wish.ts'
import { App } from './App.tsx'
import { Waiting } from '@homing/theme/parts/Waiting.tsx'
import { reportReady } from './app-ready.ts'
import { awaitFirstData } from './screens/dashboard/first-data.ts'
import { queries } from './queries.ts'
import { adoptPath, isWritten, placeOf, SITE_ROOT } from './routes.ts'

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no element #root')
// The typeface loads while the app renders. Earlier it would take a quarter of a slow connection from the scripts, and text has
// a fallback of the same width.
document.fonts.load('1rem "Inter Variable"').catch(() => undefined)
// The service answers `/` with the app only if the browser has a session cookie. It can be older than the app's storage. Payment
// providers and the pricing page lead people who are signed in to the paths of payments.
const mayHaveSession =
  !isUserKnown() && (location.pathname === SITE_ROOT || location.pathname.startsWith('/payment'))
adoptPath()
// A signed-in user who looked up a domain on the landing page is sent on before the registration is shown.
const place = placeOf(location.hash)
if (place?.screen === 'register') rememberWish(place.query)
rememberPlanAt(place)
followOtherTabs({
  // Not before the screen is gone: its forms would ask whether to leave.
  reload: () => setTimeout(() => location.reload()),
  leave: () => setTimeout(() => location.assign(SITE_ROOT)),
})
watchAppVersion(import.meta.url)
const app = (
  <StrictMode>
    <App />
  </StrictMode>
)

async function renderAnew(into: HTMLElement): Promise<void> {
  into.replaceChildren()
  reportReady()
  const page = createRoot(into)
  if (mayHaveSession) {
    page.render(
      <ThemeProvider theme={homingTheme} defaultMode="system" disableStyleSheetGeneration>
        <main className="app-waiting">
          <Waiting>Loading...</Waiting>
        </main>
      </ThemeProvider>,
    )
    await adoptSession()
  }
  await awaitFirstData(queries)
  page.render(app)
}

// The service sends the written sign-in screen only to browsers without the cookie of a session.
if (root.hasChildNodes() && isWritten(location.hash)) {
  const isUserStored = isUserKnown()
  doubtSession()
  hydrateRoot(root, app)
  if (isUserStored) await adoptSession()
} else await renderAnew(root)
