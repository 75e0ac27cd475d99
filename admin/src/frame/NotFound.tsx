import { Link } from 'react-router'
import { PageHeading } from '../layout/PageHeading.tsx'
import { sections } from './sections.ts'

/** A URL that leads nowhere. */
export function NotFound() {
  return (
    <>
      <PageHeading title="There is nothing here" />
      <p>
        The address is wrong, or what was here is gone. There are:{' '}
        {sections
          .flatMap(({ items }) => items)
          .map(({ label, path }, n) => (
            <span key={path}>
              {n > 0 && ', '}
              <Link to={path}>{label}</Link>
            </span>
          ))}
        .
      </p>
    </>
  )
}
