import { Waiting as Spinner } from '@homing/theme/parts/Waiting.tsx'

/** Shown while a page loads, after a short delay. */
export function Waiting() {
  return (
    <div className="page-waiting">
      <Spinner>Loading…</Spinner>
    </div>
  )
}
