interface PagePreviewProps {
  readonly fqdn: string
  readonly title: string
  readonly description: string
}

/** The page of a stealth forward as a browser tab and a search result show it. */
export function PagePreview({ fqdn, title, description }: PagePreviewProps) {
  return (
    <section className="forward-preview forward-card-preview" aria-label="Preview of the page">
      <p className="forward-card-url monospace">{fqdn}</p>
      {/* Without a title, the page has its domain as the title. */}
      <p className="forward-card-title">{title.trim() || fqdn}</p>
      <p className={description.trim() === '' ? 'muted' : undefined}>
        {description.trim() || 'Without a description, search engines choose a text themselves.'}
      </p>
    </section>
  )
}
