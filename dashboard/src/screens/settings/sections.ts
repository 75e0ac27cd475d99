/** The sections of the settings, in the order of the menu. Each has its own URL: `#settings/ID`. */
import { lazy } from 'react'
import type { Section } from './section.ts'

export const SECTIONS: readonly Section[] = [
  {
    id: 'profile',
    title: 'Profile Information',
    group: 'Account',
    Component: lazy(() => import('./profile/ProfileSection.tsx')),
  },
  {
    id: 'email',
    title: 'Email Address',
    group: 'Account',
    Component: lazy(() => import('./email/EmailSection.tsx')),
  },
  {
    id: 'notifications',
    title: 'Notifications',
    group: 'Account',
    Component: lazy(() => import('./notifications/NotificationsSection.tsx')),
  },
  {
    id: 'keyboard',
    title: 'Keyboard Shortcuts',
    group: 'Account',
    Component: lazy(() => import('./keyboard/KeyboardSection.tsx')),
  },
  {
    id: 'plan',
    title: 'Current Plan',
    group: 'Account',
    Component: lazy(() => import('./plan/PlanSection.tsx')),
  },
  {
    id: 'password',
    title: 'Change Password',
    group: 'Security',
    Component: lazy(() => import('./password/PasswordSection.tsx')),
  },
  {
    id: 'two-factor',
    title: 'Two-Factor Authentication',
    group: 'Security',
    Component: lazy(() => import('./two-factor/TwoFactorSection.tsx')),
  },
  {
    id: 'passkeys',
    title: 'Passkeys',
    group: 'Security',
    Component: lazy(() => import('./passkeys/PasskeysSection.tsx')),
  },
  {
    id: 'sessions',
    title: 'Sessions',
    group: 'Security',
    Component: lazy(() => import('./sessions/SessionsSection.tsx')),
  },
  {
    id: 'activity',
    title: 'Recent Login Activity',
    group: 'Security',
    Component: lazy(() => import('./activity/ActivitySection.tsx')),
  },
  {
    id: 'api-keys',
    title: 'API Keys',
    group: 'Security',
    Component: lazy(() => import('./api-keys/ApiKeysSection.tsx')),
  },
  {
    id: 'pipelines',
    title: 'Trusted Pipelines',
    group: 'Security',
    Component: lazy(() => import('./pipelines/PipelinesSection.tsx')),
  },
  {
    id: 'export',
    title: 'Export Your Data',
    group: 'Your data',
    Component: lazy(() => import('./export/ExportSection.tsx')),
  },
  {
    id: 'danger',
    title: 'Danger Zone',
    group: 'Your data',
    Component: lazy(() => import('./danger/DangerSection.tsx')),
  },
]

export const FIRST_SECTION = 'profile'

/** Other names of sections, in links of mails. */
const ALIASES: Readonly<Record<string, string>> = { subscription: 'plan', billing: 'plan' }

export const sectionOf = (id: string): Section | undefined =>
  SECTIONS.find((section) => section.id === (ALIASES[id] ?? id))
