/** The label and the zone of a new domain as one field, the resulting name, and whether it can be registered. */
import { useQuery } from '@tanstack/react-query'
import { type ClipboardEvent, type KeyboardEvent, type Ref, useEffect, useId } from 'react'
import { type DomainCheck, domainCheckQuery, freeNamesQuery } from '../../../api/domain-check.ts'
import { useSettled } from '../../../components/use-settled.ts'
import { announce } from '@homing/theme/parts/Announcer.tsx'
import { Field } from '@homing/theme/parts/Field.tsx'
import { Select } from '@homing/theme/parts/Select.tsx'
import { namesNear, wholeName } from '../new-name.ts'

const PAUSE_MS = 300
/** How many free names are offered in place of one that is not free. */
const OFFERED = 3

/** The refusals that another name avoids. */
const ABOUT_NAME: readonly string[] = ['name-taken', 'name-reserved', 'name-not-allowed']

/** Whether the account can register the name; undefined while that is not known. */
function useCheck(fqdn: string, zone: string): DomainCheck | undefined {
  const settled = useSettled(fqdn, PAUSE_MS)
  const isAsked = fqdn !== '' && settled === fqdn
  const { data } = useQuery({ ...domainCheckQuery({ fqdn, zone }), enabled: isAsked })
  return isAsked ? data : undefined
}

export interface TypedName {
  /** The label or labels before the zone, as typed. */
  readonly typed: string
  readonly zone: string
}

interface NameFieldProps extends TypedName {
  readonly zones: readonly string[]
  /** Why the service refused this name. */
  readonly error: string | undefined
  readonly inputRef: Ref<HTMLInputElement>
  readonly onChange: (name: TypedName) => void
  /** For a pasted text of several lines. */
  readonly onLines: (text: string) => void
  readonly onKeyDown: (event: KeyboardEvent) => void
}

interface OffersProps extends TypedName {
  readonly zones: readonly string[]
  readonly onChoose: (name: TypedName) => void
}

/** Free names in place of one that is not free. */
function Offers({ typed, zone, zones, onChoose }: OffersProps) {
  const { data: free = [] } = useQuery(freeNamesQuery(namesNear(typed, zone, zones), OFFERED))
  if (free.length === 0) return null
  return (
    <div className="name-offers" role="group" aria-label="Available domains">
      <span className="muted">Available:</span>
      {free.map((name) => (
        <button
          key={name.fqdn}
          type="button"
          className="text-button monospace"
          onClick={() =>
            onChoose({ typed: name.fqdn.slice(0, -name.zone.length - 1), zone: name.zone })
          }
        >
          {name.fqdn}
        </button>
      ))}
    </div>
  )
}

function Result({ fqdn, isFree }: { readonly fqdn: string; readonly isFree: boolean }) {
  return (
    <p className="name-result">
      {fqdn === '' ? (
        <span className="muted">Enter a subdomain. Your full domain appears here.</span>
      ) : (
        <output className="monospace">{fqdn}</output>
      )}
      {isFree && <span className="field-good">Available</span>}
    </p>
  )
}

export function NameField(props: NameFieldProps) {
  const { typed, zone, zones, error, inputRef, onChange, onLines, onKeyDown } = props
  const errorId = useId()
  const fqdn = wholeName(typed, zone)
  const check = useCheck(fqdn, zone)
  const refusal = check?.available === false ? check.detail : undefined
  const fault = error ?? refusal
  const isFree = error === undefined && check?.available === true
  const isOther = refusal !== undefined && ABOUT_NAME.includes(check?.code ?? '')
  useEffect(() => {
    if (!isFree) return undefined
    announce(`${fqdn} is available.`)
    // It is not the status of the next name.
    return () => announce('')
  }, [isFree, fqdn])

  function takeLines(event: ClipboardEvent): void {
    const text = event.clipboardData.getData('text/plain')
    if (!/\S\s*\n\s*\S/.test(text)) return
    event.preventDefault()
    onLines(text)
  }
  return (
    <div className="name-group">
      <div className="name-fields">
        <Field
          label="Subdomain"
          name="subdomain"
          autoFocus
          isMonospace
          autoComplete="off"
          value={typed}
          errorId={fault === undefined ? undefined : errorId}
          inputRef={inputRef}
          inputProps={{ maxLength: 253, spellCheck: false, autoCapitalize: 'none' }}
          onChange={(event) => onChange({ typed: event.target.value, zone })}
          onPaste={takeLines}
          onKeyDown={onKeyDown}
        />
        <Select
          label="Zone"
          value={zone}
          choices={zones.map((name) => [name, name])}
          onChange={(chosen) => onChange({ typed, zone: chosen })}
        />
      </div>
      {fault !== undefined && (
        <p id={errorId} role="alert" className="field-error">
          {fault}
        </p>
      )}
      <Result fqdn={fqdn} isFree={isFree} />
      {isOther && <Offers typed={typed} zone={zone} zones={zones} onChoose={onChange} />}
    </div>
  )
}
