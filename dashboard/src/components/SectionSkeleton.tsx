/** A placeholder for a section. It appears only when the section or its data loads slowly. */
export function SectionSkeleton() {
  return (
    <div className="card section-card section-skeleton" role="status">
      <span className="visually-hidden">Loading</span>
      <span className="skeleton skeleton-name" />
      <span className="skeleton" />
      <span className="skeleton" />
      <span className="skeleton skeleton-text" />
    </div>
  )
}
