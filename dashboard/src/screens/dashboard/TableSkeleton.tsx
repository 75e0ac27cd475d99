/** Rows to be, as high as the real ones. It appears only when the answer takes a while. */
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
