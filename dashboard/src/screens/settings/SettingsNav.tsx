import { useId, useState } from 'react'
import { Icon } from '@homing/theme/parts/Icon.tsx'
import { hashOf } from '../../routes.ts'
import type { Section } from './section.ts'
import { SECTIONS } from './sections.ts'

const GROUPS = [...new Set(SECTIONS.map(({ group }) => group))]

function Group({ name, current }: { readonly name: string; readonly current: Section }) {
  const id = useId()
  return (
    <div>
      <p id={id} className="settings-group">
        {name}
      </p>
      <ul aria-labelledby={id}>
        {SECTIONS.filter(({ group }) => group === name).map((section) => (
          <li key={section.id}>
            <a
              className="settings-nav-link"
              href={hashOf('settings', {}, section.id)}
              aria-current={section === current ? 'page' : undefined}
            >
              {section.title}
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The menu of the sections: a column on wide screens, and a list that opens below a button on narrow ones. */
export function SettingsNav({ current }: { readonly current: Section }) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  return (
    <nav aria-label="Settings" className="settings-nav">
      <button
        type="button"
        className="settings-nav-toggle"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <span className="muted">Settings</span>
        <span>{current.title}</span>
        <Icon name="expand" />
      </button>
      <div
        id={id}
        className={isOpen ? 'settings-groups settings-groups-open card' : 'settings-groups'}
      >
        {GROUPS.map((name) => (
          <Group key={name} name={name} current={current} />
        ))}
      </div>
    </nav>
  )
}
