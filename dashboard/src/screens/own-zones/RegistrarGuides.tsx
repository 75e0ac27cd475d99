/** Where registrars have the forms for name servers and glue records. */
import type { ReactNode } from 'react'

interface Guide {
  readonly registrar: string
  /** Where the glue records are entered. */
  readonly glue: readonly ReactNode[]
  /** Where the name servers are entered. */
  readonly servers: readonly ReactNode[]
  /** What is special about the glue records. */
  readonly glueNote?: string
}

const GUIDES: readonly Guide[] = [
  {
    registrar: 'Namecheap',
    glue: [
      <li key="1">
        Open <b>Domain List</b>, press <b>Manage</b> beside the domain, and open the tab{' '}
        <b>Advanced DNS</b>.
      </li>,
      <li key="2">
        Under <b>Personal DNS Server</b>, press <b>Add Nameserver</b> for each name server. Choose
        its first label, such as ns1, and enter its IPv4 address.
      </li>,
    ],
    servers: [
      <li key="3">
        On the tab <b>Domain</b>, choose <b>Custom DNS</b> under <b>Nameservers</b>.
      </li>,
      <li key="4">Enter the host names, and press the green check mark.</li>,
    ],
    glueNote:
      'The form takes IPv4 addresses, and the name servers work with them. Ask the support of Namecheap to add the IPv6 addresses.',
  },
  {
    registrar: 'GoDaddy',
    glue: [
      <li key="5">
        Open <b>Domain Portfolio</b>, choose the domain, and open <b>DNS</b>, then <b>Hostnames</b>.
      </li>,
      <li key="6">
        Press <b>Add</b> for each name server. Enter its first label, such as ns1, as the host, and
        its addresses.
      </li>,
    ],
    servers: [
      <li key="7">
        On the tab <b>Nameservers</b>, press <b>Change Nameservers</b>, and choose{' '}
        <b>I’ll use my own nameservers</b>.
      </li>,
      <li key="8">
        Enter the host names, and press <b>Save</b>.
      </li>,
    ],
  },
  {
    registrar: 'Another registrar',
    glue: [
      <li key="9">
        Look for “glue records”, “host names”, “child name servers”, “private name servers” or
        “register a name server”. It is often below the advanced DNS settings of the domain.
      </li>,
      <li key="10">
        Create each name server with its IPv4 and IPv6 address. If the form takes IPv4 addresses
        only, leave out the others. Some forms want the full host name, others only ns1 and ns2.
      </li>,
    ],
    servers: [
      <li key="11">
        Look for “name servers” or “delegation”, and choose your own or custom name servers instead
        of those of the registrar.
      </li>,
      <li key="12">Enter the host names, remove all others, and save.</li>,
    ],
    glueNote:
      'If you find no such form, send the table above to the support of your registrar, and ask for glue records.',
  },
]

interface RegistrarGuidesProps {
  /** Whether the registrar needs the addresses of the name servers. */
  readonly hasGlue: boolean
}

function Steps({ guide, hasGlue }: RegistrarGuidesProps & { readonly guide: Guide }) {
  return (
    <>
      {hasGlue && (
        <>
          <h4>Glue records</h4>
          <ol>{guide.glue}</ol>
          {guide.glueNote !== undefined && <p className="muted">{guide.glueNote}</p>}
          <h4>Name servers</h4>
        </>
      )}
      <ol>{guide.servers}</ol>
    </>
  )
}

export function RegistrarGuides({ hasGlue }: RegistrarGuidesProps) {
  return (
    <div className="own-guides">
      <h3>Where to enter them</h3>
      {GUIDES.map((guide) => (
        <details key={guide.registrar} className="own-details">
          <summary>{guide.registrar}</summary>
          <Steps guide={guide} hasGlue={hasGlue} />
        </details>
      ))}
      <p className="muted">Registrars rename their menus from time to time.</p>
    </div>
  )
}
