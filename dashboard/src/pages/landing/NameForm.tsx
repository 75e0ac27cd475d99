/** A label of 63 characters is the longest that DNS has (RFC 1035 §2.3.4). */
const LABEL_LIMIT = 63

/** The first step of the registration. It is a form; an island shows availability while the visitor types. */
export function NameForm({ zones }: { readonly zones: readonly string[] }) {
  if (zones.length === 0) return <p>No domains can be registered at the moment.</p>
  const [first] = zones
  return (
    <form className="name-form card" action="/register" method="get">
      <label htmlFor="name-field">Find your domain</label>
      <div className="name-row">
        <div className="name-fields">
          <input
            id="name-field"
            name="domain"
            required
            maxLength={LABEL_LIMIT}
            placeholder="home"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            aria-describedby="name-help"
          />
          <span className="name-dot" aria-hidden="true">
            .
          </span>
          {zones.length === 1 ? (
            <>
              <input type="hidden" name="zone" value={first} />
              <span className="name-zone">{first}</span>
            </>
          ) : (
            <select name="zone" aria-label="Zone">
              {zones.map((zone) => (
                <option key={zone}>{zone}</option>
              ))}
            </select>
          )}
        </div>
        <button className="button">Register it</button>
      </div>
      <p id="name-help" className="muted">
        Free, without a credit card. You choose the password next.
      </p>
      <p id="name-status" role="status" className="name-fault visually-hidden" />
      <ul id="name-results" className="name-results" />
    </form>
  )
}
