/** The component of each screen. Screens that most visits do not need load when they are opened. */
import { type ComponentType, lazy } from 'react'
import type { ScreenName, ScreenProps } from './routes.ts'
import { DashboardScreen } from './screens/dashboard/DashboardScreen.tsx'
import { LoginScreen } from './screens/login/LoginScreen.tsx'

export const SCREENS: Readonly<Record<ScreenName, ComponentType<ScreenProps>>> = {
  login: LoginScreen,
  dashboard: DashboardScreen,
  settings: lazy(() => import('./screens/settings/SettingsScreen.tsx')),
}
