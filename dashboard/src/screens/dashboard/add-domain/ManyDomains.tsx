/** Adds a pasted list of domains. The service checks it first, and then adds all lines or none. */
import { count, counted } from '@homing/theme/formats'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useMemo, useState } from 'react'
import { BATCH_LIMIT } from '../../../api/domain-batch.ts'
import { Failure } from '@homing/theme/parts/Failure.tsx'
import { Message } from '@homing/theme/parts/Message.tsx'
import { Modal } from '@homing/theme/parts/Modal.tsx'
import { notify } from '@homing/theme/parts/Notices.tsx'
import { Select } from '@homing/theme/parts/Select.tsx'
import { reloadDomains } from '../reload-domains.ts'
import { AtLimit } from './AtLimit.tsx'
import { LineList } from './LineList.tsx'
import { linesOf, type PastedLine, withoutLines } from './pasted-lines.ts'
import { useBatch } from './use-batch.ts'

interface ManyDomainsProps {
  readonly start: { readonly text: string; readonly zone: string }
  readonly zones: readonly string[]
  /** Why no domain can be added; undefined if one can. */
  readonly limitReason: string | undefined
  readonly onClose: () => void
}

/** The faults that the browser sees. */
const ownFaults = (lines: readonly PastedLine[]) =>
  new Map(
    lines.flatMap(({ number, fault }) => (fault === undefined ? [] : [[number, fault] as const])),
  )

const isSame = (one: readonly PastedLine[], other: readonly PastedLine[]) =>
  JSON.stringify(one) === JSON.stringify(other)

function LinesField({ text, onText }: { text: string; onText: (text: string) => void }) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>Domains, one per line</label>
      <textarea
        id={id}
        className="lines-field monospace"
        // The field is what the paste has opened.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        rows={6}
        spellCheck={false}
        autoCapitalize="none"
        aria-describedby={`${id}-text`}
        value={text}
        onChange={(event) => onText(event.target.value)}
      />
      <p id={`${id}-text`} className="field-help">
        A name, then its addresses: nas 198.51.100.7 2001:db8::7
      </p>
    </div>
  )
}

function addedText(lines: readonly PastedLine[]): string {
  const domains = counted(lines.length, 'domain')
  const areLive = lines.every(({ addresses }) => addresses.length > 0)
  if (lines.length === 1) return `${domains} was added${areLive ? ' and is live in DNS' : ''}.`
  return `${domains} were added${areLive ? ' and are live in DNS' : ''}.`
}

export function ManyDomains({ start, zones, limitReason, onClose }: ManyDomainsProps) {
  const [{ text, zone }, setList] = useState(start)
  const queries = useQueryClient()
  const lines = useMemo(() => linesOf(text, zone, zones), [text, zone, zones])
  const { checked, mutate, isPending, error, reset } = useBatch(zones, (added) => {
    void reloadDomains(queries)
    notify({ kind: 'success', text: addedText(added) })
    onClose()
  })
  const own = ownFaults(lines)
  const isChecked = checked !== undefined && isSame(checked.lines, lines)
  const faults = isChecked ? checked.refusals : own
  const isReady = isChecked && faults.size === 0
  const isTooLong = lines.length > BATCH_LIMIT
  const canSend = lines.length > 0 && own.size === 0 && !isTooLong

  function change(list: Partial<typeof start>): void {
    reset()
    setList({ text, zone, ...list })
  }
  // The pasted list is checked at once. After an edit, the user asks for the check: checks are limited.
  useEffect(() => {
    if (canSend && limitReason === undefined) mutate({ lines, isDryRun: true })
    // oxlint-disable-next-line react/exhaustive-deps
  }, [])
  return (
    <Modal
      title="Add domains"
      width="sm"
      submit={
        isReady
          ? { label: `Add ${counted(lines.length, 'Domain')}`, busyLabel: 'Adding...' }
          : { label: 'Check Lines', busyLabel: 'Checking...' }
      }
      isBusy={isPending}
      isDisabled={!canSend || limitReason !== undefined || (isChecked && !isReady)}
      onClose={onClose}
      onSubmit={() => mutate({ lines, isDryRun: !isReady })}
    >
      {limitReason !== undefined && <AtLimit reason={limitReason} />}
      {error && <Failure error={error} otherwise="Failed to add domains" />}
      {isTooLong && (
        <Message tone="error">
          <p>
            You can add {count(BATCH_LIMIT)} domains at once. This list has {count(lines.length)}{' '}
            lines. Remove {count(lines.length - BATCH_LIMIT)} of them.
          </p>
        </Message>
      )}
      <LinesField text={text} onText={(typed) => change({ text: typed })} />
      <Select
        label="Zone of names without one"
        value={zone}
        choices={zones.map((name) => [name, name])}
        onChange={(chosen) => change({ zone: chosen })}
      />
      {!isTooLong && (
        <LineList
          lines={lines}
          faults={faults}
          isChecked={isChecked}
          onRemove={() => change({ text: withoutLines(text, new Set(faults.keys())) })}
        />
      )}
    </Modal>
  )
}
