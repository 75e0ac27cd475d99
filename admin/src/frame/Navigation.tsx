import { useStore } from 'react-admin'
import { NavLink } from 'react-router'
import { type Section, sections } from './sections.ts'

/** One section. The app remembers whether it is open. */
function SectionList({ id, title, items }: Section) {
  const [isOpen, setOpen] = useStore(`sections.${id}`, true)
  return (
    <details
      className="section"
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>{title}</summary>
      <ul>
        {items.map(({ label, path, icon: Icon }) => (
          <li key={path}>
            <NavLink to={path}>
              <Icon fontSize="small" aria-hidden />
              {label}
            </NavLink>
          </li>
        ))}
      </ul>
    </details>
  )
}

export function Navigation() {
  return (
    <nav aria-label="Sections" className="navigation">
      {sections.map((section) => (
        <SectionList key={section.id} {...section} />
      ))}
      <p className="navigation-foot">
        <a href="/#dashboard">Go to the dashboard</a>
      </p>
    </nav>
  )
}
