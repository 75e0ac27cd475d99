/** A section of the settings. */
import type { ComponentType } from 'react'

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
