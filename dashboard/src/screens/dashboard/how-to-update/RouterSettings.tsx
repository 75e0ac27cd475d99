import { CopyLine } from './CopyLine.tsx'

interface RouterSettingsProps {
  readonly fqdn: string
  readonly username: string
  /** The secret of a token that was just created. */
  readonly secret: string | undefined
}

/** Shown in place of a token that cannot be shown again. */
const PLACEHOLDER = 'UPDATE_TOKEN'

/** The values for a router or a script, in the usual order of router forms. */
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
          <CopyLine label="Username" text={username} />
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
          If the request contains no address, the service uses the address that it comes from.
        </p>
      </section>
      <section>
        <h3>URL only</h3>
        <p className="muted">For devices without fields for a username and a password.</p>
        <dl>
          <CopyLine label="URL" text={`${origin}/u/${password}`} />
        </dl>
      </section>
    </>
  )
}
