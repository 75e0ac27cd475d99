interface AddressPanelProps {
  readonly address: string | undefined
  readonly origin: string
  /** The zone of the example. */
  readonly zone: string | undefined
}

function OwnAddress({ address }: { readonly address: string }) {
  return (
    <>
      <h2>Your address is</h2>
      <p className="own-address">
        <code id="own-address">{address}</code>
        <button id="copy-address" type="button" className="button-quiet" hidden>
          Copy
        </button>
      </p>
      <p className="muted">
        {address.includes(':') ? 'IPv6' : 'IPv4'}, as this service sees it now.{' '}
        <span id="copy-status" role="status" />
      </p>
    </>
  )
}

/** The visitor's address, and the request with which a router reports a new one. */
export function AddressPanel({ address, origin, zone }: AddressPanelProps) {
  const { host, protocol } = new URL(origin)
  return (
    <div className="address-panel card">
      {address !== undefined && <OwnAddress address={address} />}
      {zone !== undefined && (
        <figure>
          <figcaption>What a router sends, and what it gets</figcaption>
          <pre tabIndex={0}>
            <code>
              {`$ curl -u home.${zone}:ut_… \\\n  ${protocol}//${host}/nic/update\n`}
              <span className="terminal-answer">{`good ${address ?? '192.0.2.7'}`}</span>
            </code>
          </pre>
        </figure>
      )}
    </div>
  )
}
