/** Placeholder rows, as high as the real ones. They appear only when the response is slow. */
export function TableSkeleton() {
  return (
    <div className="table-skeleton" role="status">
      <span className="visually-hidden">Loading domains</span>
      {['first', 'second', 'third'].map((row) => (
        <div key={row} className="table-skeleton-row">
          <span className="skeleton skeleton-name" />
          <span className="skeleton skeleton-text" />
          <span className="skeleton skeleton-text" />
        </div>
      ))}
    </div>
  )
}
