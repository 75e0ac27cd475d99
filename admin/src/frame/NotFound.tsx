import { Link } from 'react-router'
import { PageHeading } from '../layout/PageHeading.tsx'
import { sections } from './sections.ts'

/** Shown for an unknown URL. */
export function NotFound() {
  return (
    <>
      <PageHeading title="Page not found" />
      <p>
        The URL is wrong, or the page no longer exists. Available pages:{' '}
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
