/** The name servers and what each answered: a table, or cards where the window is narrow. */
import { ColumnTitles } from '@homing/theme/parts/ColumnTitles.tsx'
import { Icon } from '@homing/theme/parts/Icon.tsx'
import type { ReactNode } from 'react'
import type { NameServerCheck } from '../../../api/propagation.ts'
import { STATE_LOOKS } from './state-looks.ts'

const COLUMNS = ['Name server', 'State', 'Serial', 'Answers', 'Time'] as const

function State({ state, message }: Pick<NameServerCheck, 'state' | 'message'>) {
  const { word, icon, className } = STATE_LOOKS[state]
  return (
    <>
      <span className={className}>
        <Icon name={icon} size={16} />
        {word}
      </span>
      {state !== 'current' && <p className="propagation-hint">{message}</p>}
    </>
  )
}

function Answer({ addresses }: Pick<NameServerCheck, 'addresses'>) {
  if (addresses.length === 0) return <span className="muted">No address</span>
  return addresses.map((address) => (
    <span key={address} className="monospace propagation-address">
      {address}
    </span>
  ))
}

interface ValueProps {
  readonly title: (typeof COLUMNS)[number]
  /** Undefined: the server said nothing about it. A card leaves it out. */
  readonly value: ReactNode | undefined
}

function Value({ title, value }: ValueProps) {
  return (
    <td
      role="cell"
      data-label={title}
      className={value === undefined ? 'propagation-none' : undefined}
    >
      {value === undefined ? <span className="muted">–</span> : <div>{value}</div>}
    </td>
  )
}

function Row({ check }: { readonly check: NameServerCheck }) {
  const { server, address, state, message, serial, addresses, round_trip_ms } = check
  return (
    <tr role="row">
      <th role="rowheader" scope="row">
        {server}
        {address !== null && <span className="muted monospace propagation-address">{address}</span>}
      </th>
      <td role="cell" className="propagation-state">
        <State state={state} message={message} />
      </td>
      <Value title="Serial" value={serial ?? undefined} />
      <Value
        title="Answers"
        value={serial === null ? undefined : <Answer addresses={addresses} />}
      />
      <Value title="Time" value={round_trip_ms === null ? undefined : `${round_trip_ms} ms`} />
    </tr>
  )
}

interface ServerTableProps {
  readonly servers: readonly NameServerCheck[]
  /** Whether the rows are from before a change. */
  readonly isFormer: boolean
}

export function ServerTable({ servers, isFormer }: ServerTableProps) {
  return (
    <table
      role="table"
      className={isFormer ? 'propagation-table propagation-former' : 'propagation-table'}
      aria-label="Name servers"
      aria-busy={isFormer}
    >
      <ColumnTitles titles={COLUMNS} />
      <tbody role="rowgroup">
        {servers.map((check) => (
          <Row key={`${check.server} ${check.address ?? ''}`} check={check} />
        ))}
      </tbody>
    </table>
  )
}
