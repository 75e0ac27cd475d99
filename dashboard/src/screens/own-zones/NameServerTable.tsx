/** The name servers to enter at the registrar, with a button that copies each value, and one that copies all. */
import { ColumnTitles } from '@homing/theme/parts/ColumnTitles.tsx'
import { Icon } from '@homing/theme/parts/Icon.tsx'
import { COPY_TEXTS, useCopy } from '@homing/theme/parts/use-copy.ts'
import { useRef } from 'react'
import type { NameServer } from '../../api/own-zones.ts'
import { CopyText } from './CopyText.tsx'

interface NameServerTableProps {
  readonly servers: readonly NameServer[]
  /** Whether the registrar needs their addresses. */
  readonly hasGlue: boolean
}

/** One line for each name server: `ns1.example.com 198.51.100.53 2001:db8::53`. */
function linesOf({ servers, hasGlue }: NameServerTableProps): string {
  return servers
    .map(({ hostname, ip, ipv6 }) =>
      hasGlue ? [hostname, ip, ...(ipv6 === null ? [] : [ipv6])].join(' ') : hostname,
    )
    .join('\n')
}

function Addresses({ server: { hostname, ip, ipv6 } }: { readonly server: NameServer }) {
  return (
    <>
      <td role="cell" data-label="IPv4">
        <CopyText text={ip} what={`the IPv4 address of ${hostname}`} />
      </td>
      <td role="cell" data-label="IPv6">
        {ipv6 === null ? (
          <span className="muted">None</span>
        ) : (
          <CopyText text={ipv6} what={`the IPv6 address of ${hostname}`} />
        )}
      </td>
    </>
  )
}

export function NameServerTable({ servers, hasGlue }: NameServerTableProps) {
  const table = useRef<HTMLTableElement>(null)
  const { outcome, copy } = useCopy()
  const columns = hasGlue ? ['Host name', 'IPv4', 'IPv6'] : ['Host name']
  return (
    <div className="own-servers">
      <table
        ref={table}
        role="table"
        className="own-table"
        aria-label={hasGlue ? 'Name servers and their glue records' : 'Name servers'}
      >
        <ColumnTitles titles={columns} />
        <tbody role="rowgroup">
          {servers.map((server) => (
            <tr key={server.hostname} role="row">
              <th role="rowheader" scope="row">
                <CopyText text={server.hostname} what={`the host name ${server.hostname}`} />
              </th>
              {hasGlue && <Addresses server={server} />}
            </tr>
          ))}
        </tbody>
      </table>
      <p className="section-actions">
        <button
          type="button"
          className="line-button"
          onClick={() => void copy(linesOf({ servers, hasGlue }), () => table.current)}
        >
          <Icon name={outcome === 'copied' ? 'check' : 'copy'} size={16} />
          Copy All
        </button>
        {outcome !== undefined && <span className="muted">{COPY_TEXTS[outcome]}</span>}
      </p>
    </div>
  )
}
