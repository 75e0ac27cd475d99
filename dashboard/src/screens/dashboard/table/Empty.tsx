import Button from '@mui/material/Button'

interface EmptyProps {
  readonly search: string
  readonly onAdd: () => void
  readonly onClear: () => void
}

/** A list without domains, or without domains that match the search. */
export function Empty({ search, onAdd, onClear }: EmptyProps) {
  if (search !== '') {
    return (
      <div className="empty">
        <p>No domain matches “{search}”.</p>
        <Button variant="outlined" onClick={onClear}>
          Clear Search
        </Button>
      </div>
    )
  }
  return (
    <div className="empty">
      <p className="empty-title">No domains configured yet</p>
      <p className="muted">A domain follows your IP address when it changes.</p>
      <Button variant="contained" onClick={onAdd}>
        Add Your First Domain
      </Button>
    </div>
  )
}
