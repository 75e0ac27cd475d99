/** The addresses of a row, and the field that changes them. */
import { CopyButton } from '@homing/theme/parts/CopyButton.tsx'
import { Icon } from '@homing/theme/parts/Icon.tsx'
import { Fragment, useEffect, useId, useRef } from 'react'
import type { Domain } from '../../../api/domains.ts'
import { lockOf } from '../../frame/lock-words.ts'
import { publishedText } from '../../frame/published-text.ts'
import { addressText, type InlineEdit } from './use-inline-edit.ts'

/** Lets long addresses wrap between groups, not inside a group. */
function withBreaks(address: string) {
  return address.split(/(?<=:)/).map((group, at) => (
    // The order of an address's groups never changes.
    // oxlint-disable-next-line react/no-array-index-key
    <Fragment key={at}>
      {at > 0 && <wbr />}
      {group}
    </Fragment>
  ))
}

/** An IPv6 address longer than this is shown in part where the column is narrow. */
const LONG = 18
/** Addresses of one network differ at the end, so as many characters as these stay: see table.css. */
const TAIL = 9

/** Copied and read out in full. */
function LongAddress({ address }: { readonly address: string }) {
  return (
    <>
      <span className="address-head">{withBreaks(address.slice(0, -TAIL))}</span>
      {withBreaks(address.slice(-TAIL))}
    </>
  )
}

function Address({ address, fqdn }: { readonly address: string; readonly fqdn: string }) {
  const text = useRef<HTMLSpanElement>(null)
  const isLong = address.length > LONG
  return (
    <span className={isLong ? 'address address-long' : 'address'}>
      <span ref={text} className="monospace" title={isLong ? address : undefined}>
        {isLong ? <LongAddress address={address} /> : address}
      </span>
      <CopyButton text={address} what={`${address} of ${fqdn}`} shownIn={() => text.current} />
    </span>
  )
}

export interface EditHandlers {
  readonly onType: (text: string) => void
  readonly onSave: () => void
  readonly onCancel: () => void
}

interface AddressFieldProps extends EditHandlers {
  readonly edit: InlineEdit
}

function AddressField({ edit, onType, onSave, onCancel }: AddressFieldProps) {
  const { domain, text, reason, isConflict } = edit
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.select(), [])
  // A refused text returns with the focus, because the field was closed while it was sent.
  useEffect(() => {
    if (reason !== undefined) field.current?.focus()
  }, [reason])
  return (
    <form
      className="inline-edit"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        onSave()
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onCancel()
      }}
    >
      <input
        ref={field}
        type="text"
        className="monospace"
        aria-label={`Addresses of ${domain.fqdn}`}
        aria-invalid={reason !== undefined}
        aria-describedby={id}
        // The user asked for the field.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={128}
        value={text}
        onChange={(event) => onType(event.target.value)}
      />
      <button type="submit" className="row-button">
        {isConflict ? 'Save Mine' : 'Save'}
      </button>
      <button type="button" className="row-button" onClick={onCancel}>
        Cancel
      </button>
      <span id={id} className={reason === undefined ? 'inline-help' : 'inline-error'}>
        {isConflict ? (
          <span role="alert">
            Another client has changed this domain. Now:{' '}
            <span className="monospace">{addressText(domain) || 'not set'}</span>. Yours:{' '}
            <span className="monospace">{text.trim() || 'not set'}</span>.
          </span>
        ) : reason === undefined ? (
          'IPv4, IPv6, or both'
        ) : (
          <span role="alert">{reason}</span>
        )}
      </span>
    </form>
  )
}

interface AddressCellProps extends EditHandlers {
  readonly domain: Domain
  /** Undefined unless the user changes this row. */
  readonly edit: InlineEdit | undefined
  readonly onEdit: () => void
}

export function AddressCell({ domain, edit, onEdit, ...on }: AddressCellProps) {
  if (edit !== undefined && !edit.isSaving) return <AddressField edit={edit} {...on} />
  const { fqdn, is_wildcard } = domain
  const addresses = [domain.record_ipv4, domain.record_ipv6].filter((address) => address !== null)
  return (
    <div aria-busy={edit?.isSaving}>
      {addresses.length === 0 && <span className="muted">Not set</span>}
      {addresses.map((address) => (
        <Address key={address} address={address} fqdn={fqdn} />
      ))}
      {domain.is_forwarded && (
        <span className="status-reason">Forwarded: {publishedText(domain)}</span>
      )}
      {edit?.isSaving === true && <span className="last-update">Saving…</span>}
      {!is_wildcard && lockOf(domain) === undefined && (
        <button
          type="button"
          // The keyboard has the letter E.
          tabIndex={-1}
          className="icon-button inline-edit-button"
          aria-label={`Edit the addresses of ${fqdn}`}
          title="Edit (E)"
          onClick={onEdit}
        >
          <Icon name="edit" size={14} />
        </button>
      )}
    </div>
  )
}
