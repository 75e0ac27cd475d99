import { type ForwardDraft, locationsOf, SAMPLES } from './forward-draft.ts'

interface LocationPreviewProps {
  /** The domain that is forwarded; undefined until it is chosen. */
  readonly fqdn: string | undefined
  readonly draft: ForwardDraft
}

/** Where visitors of two sample paths arrive. */
export function LocationPreview({ fqdn = 'your domain', draft }: LocationPreviewProps) {
  const locations = locationsOf(draft)
  const isStealth = draft.forwarding_type === 'stealth'
  return (
    <section className="forward-preview" aria-label="Result">
      <h3>{isStealth ? 'The frame shows' : `Location of the ${draft.status_code} redirect`}</h3>
      {locations === undefined ? (
        <p className="muted">Enter an http or https URL, or a host name.</p>
      ) : (
        <dl>
          {SAMPLES.map(({ path, query }, at) => (
            <div key={path}>
              <dt className="monospace">
                {fqdn}
                {path}
                {query}
              </dt>
              <dd className="monospace">{locations[at]}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  )
}
