/** Each is a fact of the software, with the test that shows it. */
const REASONS = [
  {
    title: 'An update that is answered “good” is stored',
    text: 'The service answers after the change is on disk, not before.',
    evidence:
      'A test sends updates for a minute while the API, the DNS server and the database are killed in turn. No acknowledged update may be missing.',
  },
  {
    title: 'DNS answers when the database is down',
    text: 'Each name server answers from its own copy of the zone. Answers never go back in time, and a restart takes about a second.',
    evidence:
      'Tests stop the database, freeze it and cut the connection. The name servers must answer every query.',
  },
  {
    title: 'Your router already knows how',
    text: 'Updates follow the protocol that routers have spoken for twenty years. Each domain has its own token, so your password stays out of the router.',
    evidence:
      'Tested with ddclient and inadyn, and with the requests of FRITZ!Box, UniFi, Synology, pfSense, OPNsense, OpenWrt and MikroTik.',
  },
] as const

/** Three reasons to use the service, each with its evidence. */
export function Reasons() {
  return (
    <section className="reasons" aria-label="Why this service">
      {REASONS.map(({ title, text, evidence }) => (
        <article key={title} className="card reason">
          <h2>{title}</h2>
          <p>{text}</p>
          <p className="evidence">
            <strong>How we know:</strong> {evidence}
          </p>
        </article>
      ))}
    </section>
  )
}
