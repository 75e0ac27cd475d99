/** A spinner and what it waits for. */
export function Waiting({ children }: { readonly children: string }) {
  return (
    <p className="waiting" role="status">
      <span className="spinner" aria-hidden="true" />
      {children}
    </p>
  )
}
