/** While a page is on its way. It shows itself only when that takes longer than a blink. */
export function Waiting() {
  return (
    <div className="waiting" role="status">
      Loading…
    </div>
  )
}
