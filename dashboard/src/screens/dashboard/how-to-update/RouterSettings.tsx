import { CopyLine } from './CopyLine.tsx'

interface RouterSettingsProps {
  readonly fqdn: string
  readonly username: string
  /** Of a token that was made just now. */
  readonly secret: string | undefined
}

/** Stands in for a token that is not shown any more. */
const PLACEHOLDER = 'UPDATE_TOKEN'

/** What a router or a script asks for, in the order in which most ask. */
export function RouterSettings({ fqdn, username, secret }: RouterSettingsProps) {
  const { origin, host } = location
  const url = `${origin}/nic/update?hostname=${fqdn}`
  const password = secret ?? PLACEHOLDER
  return (
    <>
      <section>
        <h3>Router</h3>
        <p className="muted">Choose “custom” or “DynDNS” as the provider.</p>
        <dl>
          <CopyLine label="Server" text={host} />
          <CopyLine label="Update URL" text={url} />
          <CopyLine label="Host name" text={fqdn} />
          <CopyLine label="User name" text={username} />
          <div className="copy-line">
            <dt>Password</dt>
            <dd>the update token</dd>
          </div>
        </dl>
      </section>
      <section>
        <h3>cURL</h3>
        <dl>
          <CopyLine label="Command" text={`curl -u "${username}:${password}" "${url}"`} />
        </dl>
        <p className="muted">
          Without an address in the request, the one that it comes from is taken.
        </p>
      </section>
      <section>
        <h3>A URL alone</h3>
        <p className="muted">For devices that have no fields for a user name and a password.</p>
        <dl>
          <CopyLine label="URL" text={`${origin}/u/${password}`} />
        </dl>
      </section>
    </>
  )
}
