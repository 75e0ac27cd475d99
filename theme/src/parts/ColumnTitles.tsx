interface ColumnTitlesProps {
  readonly titles: readonly string[]
  /** Whether a last column has the actions of each row. Only screen readers get its title. */
  readonly hasActions?: boolean
}

/** The head of a table. The roles remain when a narrow window changes the display of the rows. */
export function ColumnTitles({ titles, hasActions = false }: ColumnTitlesProps) {
  return (
    <thead role="rowgroup">
      <tr role="row">
        {titles.map((title) => (
          <th key={title} role="columnheader" scope="col">
            {title}
          </th>
        ))}
        {hasActions && (
          <th role="columnheader" scope="col">
            <span className="visually-hidden">Actions</span>
          </th>
        )}
      </tr>
    </thead>
  )
}
