/** The sections of the settings, in the order of the menu. Each has its own URL: `#settings/ID`. */
import { type ComponentType, lazy } from 'react'

export interface SectionProps {
  /** The state of the section, in the format of a URL query. */
  readonly query: string
}

export interface Section {
  /** The argument in the URL. */
  readonly id: string
  /** The heading of the section, and its line in the menu. */
  readonly title: string
  /** The heading above the line in the menu. */
  readonly group: 'Account' | 'Security' | 'Your data'
  readonly Component: ComponentType<SectionProps>
}

export const SECTIONS: readonly Section[] = [
  {
    id: 'profile',
    title: 'Profile Information',
    group: 'Account',
    Component: lazy(() => import('./profile/ProfileSection.tsx')),
  },
]

export const FIRST_SECTION = 'profile'

export const sectionOf = (id: string): Section | undefined =>
  SECTIONS.find((section) => section.id === id)
