/** Maps screen names to components, and renders the parts that all screens share. */
import { homingTheme } from '@homing/theme'
import { ThemeProvider } from '@mui/material/styles'
import { QueryClientProvider } from '@tanstack/react-query'
import { Suspense, useEffect } from 'react'
import { rememberPlanAt, waitingPlan } from './api/intended-plan.ts'
import { endLocalSession, type StoredUser, useSession } from './api/session.ts'
import { Announcer } from '@homing/theme/parts/Announcer.tsx'
import { LoadBoundary } from './components/LoadBoundary.tsx'
import { Notices, notify } from '@homing/theme/parts/Notices.tsx'
import { SkipLink } from '@homing/theme/parts/SkipLink.tsx'
import { queries } from './queries.ts'
import { go, guarded, hashOf, placeOf, useHash, type Visitor } from './routes.ts'
import { ConfirmIdentity } from './screens/confirm-identity/ConfirmIdentity.tsx'
import { SignInAgain } from './screens/sign-in-again/SignInAgain.tsx'
import { VersionNote } from './screens/frame/VersionNote.tsx'
import { Overlays } from './screens/palette/Overlays.tsx'
import { SCREENS } from './screens.tsx'

/** Shown when a sign-in cancelled the deletion of the account. */
const KEPT = 'Your account will not be deleted. Welcome back!'

function visitorOf(user: StoredUser | undefined): Visitor {
  if (user === undefined) return 'nobody'
  return user.account_type === 'admin' ? 'admin' : 'user'
}

/** Somebody who chose a plan before they signed in goes on to the checkout, once. */
function afterSignIn(allowed: string, hash: string, user: StoredUser | undefined): string {
  const isNew = placeOf(hash)?.screen !== 'dashboard' && placeOf(allowed)?.screen === 'dashboard'
  if (!isNew || user?.account_type !== 'free') return allowed
  const plan = waitingPlan()
  return plan === undefined ? allowed : hashOf('payment', { ...plan })
}

function Screens() {
  const hash = useHash()
  const { user, isExpired = false, isDeletionCancelled = false } = useSession()
  // The user does not sign in again in place, but goes to the sign-in screen.
  const isLeaving = isExpired && placeOf(hash)?.screen === 'login'
  const allowed = afterSignIn(guarded(hash, isLeaving ? 'nobody' : visitorOf(user)), hash, user)
  const place = placeOf(allowed)
  useEffect(() => rememberPlanAt(placeOf(hash)), [hash])
  useEffect(() => {
    // A screen may already have replaced a fragment that is allowed.
    if (allowed !== hash) go(allowed, { replace: true })
  }, [allowed, hash])
  useEffect(() => {
    if (isLeaving) endLocalSession('expired')
  }, [isLeaving])
  // Do not show the data of one account to the next. A cleanup runs before the effects of the next screen, which read.
  useEffect(() => () => queries.clear(), [user?.id])
  useEffect(() => {
    if (isDeletionCancelled) notify({ kind: 'success', text: KEPT })
  }, [isDeletionCancelled])
  // Render nothing while the browser goes to another page.
  if (place === undefined) return null
  const Screen = SCREENS[place.screen]
  return (
    <LoadBoundary key={place.screen} showsIn="screen">
      <Suspense fallback={LOADING}>
        <Screen place={place} />
      </Suspense>
    </LoadBoundary>
  )
}

/** While the code of a screen loads. Its heading gets the focus and is announced when it appears. */
const LOADING = (
  <div className="screen-loading" aria-hidden="true">
    <span className="spinner" />
  </div>
)

function SignedInOverlays() {
  const { user } = useSession()
  return <Overlays isActive={user !== undefined} />
}

export function App() {
  return (
    <ThemeProvider theme={homingTheme} defaultMode="system" disableStyleSheetGeneration>
      <QueryClientProvider client={queries}>
        <SkipLink />
        <Screens />
        <SignedInOverlays />
        <ConfirmIdentity />
        <SignInAgain />
        <VersionNote />
        <Notices />
        <Announcer />
      </QueryClientProvider>
    </ThemeProvider>
  )
}
