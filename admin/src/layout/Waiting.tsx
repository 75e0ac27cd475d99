/** Shown while a page loads, after a short delay. */
export function Waiting() {
  return (
    <div className="waiting" role="status">
      Loading…
    </div>
  )
}
