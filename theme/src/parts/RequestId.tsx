/** Identifies a failed request in the service's log. */
export function RequestId({ id }: { readonly id: string | undefined }) {
  if (id === undefined) return null
  return (
    <p className="muted">
      Request <span className="monospace">{id}</span>
    </p>
  )
}
