/** The back office: its providers, pages and resources. */
import { homingTheme } from '@homing/theme'
import { ThemeProvider } from '@mui/material/styles'
import {
  CoreAdminContext,
  CoreAdminUI,
  defaultI18nProvider,
  localStorageStore,
  Resource,
} from 'react-admin'
import { createBrowserRouter, RouterProvider } from 'react-router'
import { authProvider } from './access/authProvider.ts'
import { ConfirmIdentity } from './access/ConfirmIdentity.tsx'
import { SignIn } from './access/SignIn.tsx'
import { dataProvider } from './dataProvider.ts'
import { Crash } from './frame/Crash.tsx'
import { Layout } from './frame/Layout.tsx'
import { NotFound } from './frame/NotFound.tsx'
import { Notices } from './frame/Notices.tsx'
import { Waiting } from './layout/Waiting.tsx'
import { dnsQueries } from './resources/dns-queries/index.ts'
import { blockedTargets } from './resources/blocked-targets/index.ts'
import { domains } from './resources/domains/index.ts'
import { ledger } from './resources/ledger/index.ts'
import { lockedNames } from './resources/locked-names/index.ts'
import { monitors } from './resources/monitors/index.ts'
import { paymentEvents } from './resources/payment-events/index.ts'
import { plans } from './resources/plans/index.ts'
import { subscriptions } from './resources/subscriptions/index.ts'
import { records } from './resources/records/index.ts'
import { taxRates } from './resources/tax-rates/index.ts'
import { users } from './resources/users/index.ts'
import { webForwards } from './resources/web-forwards/index.ts'
import { zones } from './resources/zones/index.ts'

const store = localStorageStore('1', 'homing-admin')

function BackOffice() {
  return (
    <CoreAdminContext
      authProvider={authProvider}
      dataProvider={dataProvider}
      i18nProvider={defaultI18nProvider}
      store={store}
    >
      <CoreAdminUI
        catchAll={NotFound}
        disableTelemetry
        error={Crash}
        layout={Layout}
        loading={Waiting}
        loginPage={SignIn}
        requireAuth
        title="Homing back office"
      >
        <Resource {...users} />
        <Resource {...plans} />
        <Resource {...domains} />
        <Resource {...lockedNames} />
        <Resource {...records} />
        <Resource {...webForwards} />
        <Resource {...blockedTargets} />
        <Resource {...monitors} />
        <Resource {...dnsQueries} />
        <Resource {...subscriptions} />
        <Resource {...paymentEvents} />
        <Resource {...ledger} />
        <Resource {...taxRates} />
        <Resource {...zones} />
      </CoreAdminUI>
      <ConfirmIdentity />
      <Notices />
    </CoreAdminContext>
  )
}

/** One router for the whole app. react-admin uses the surrounding router, and its links are real URLs. */
export const createAdminRouter = () =>
  createBrowserRouter([{ path: '*', element: <BackOffice /> }], { basename: '/admin' })

export function App({ router }: { readonly router: ReturnType<typeof createAdminRouter> }) {
  return (
    <ThemeProvider theme={homingTheme} defaultMode="system">
      <RouterProvider router={router} />
    </ThemeProvider>
  )
}
