/** The form for one domain. Enter adds it; Shift+Enter adds it and empties the form for another. */
import { useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, type ReactNode, useCallback, useRef, useState } from 'react'
import { createDomain, type Domain, type NewDomain } from '../../../api/domains.ts'
import { ApiProblem } from '../../../api/problem.ts'
import { RepeatableChange } from '../../../api/repeatable-change.ts'
import { Keys } from '../../../components/Keys.tsx'
import { Failure } from '@homing/theme/parts/Failure.tsx'
import { Modal } from '@homing/theme/parts/Modal.tsx'
import { notify } from '@homing/theme/parts/Notices.tsx'
import { useWrite } from '@homing/theme/parts/use-write.ts'
import { splitName, wholeName } from '../new-name.ts'
import { reloadDomains } from '../reload-domains.ts'
import { AddressFields } from './AddressFields.tsx'
import { AtLimit } from './AtLimit.tsx'
import { addressErrors, type DomainDraft, EMPTY_DRAFT, hasFault, newDomainOf } from './draft.ts'
import { NameField, type TypedName } from './NameField.tsx'

/** Problems with the domain as a whole. They name no field, but the form shows them beside the domain. */
const ABOUT_NAME = new Set(['name-taken', 'name-reserved', 'name-not-allowed', 'domain-locked'])

function nameError(problem: ApiProblem | undefined): string | undefined {
  if (problem === undefined) return undefined
  return problem.of('fqdn', 'zone') ?? (ABOUT_NAME.has(problem.code) ? problem.message : undefined)
}

interface OneDomainProps {
  readonly zones: readonly string[]
  readonly zonesFailure: ReactNode
  /** The domain that the user looked up before they signed in. */
  readonly wish: string | undefined
  /** The zone of the URL; undefined for the first one. */
  readonly zone: string | undefined
  /** Why no domain can be added; undefined if one can. */
  readonly limitReason: string | undefined
  readonly onLines: (text: string, zone: string) => void
  readonly onClose: () => void
  readonly onAdded: (domain: Domain) => void
}

interface Sent {
  readonly domain: NewDomain
  /** Whether the form stays, for another domain. */
  readonly isMoreToCome: boolean
}

/** The name in the form: what the user typed, or the name that they looked up. */
function nameOf(
  draft: DomainDraft,
  { zones, wish, zone }: Pick<OneDomainProps, 'zones' | 'wish' | 'zone'>,
): TypedName {
  const wished = wish === undefined ? undefined : splitName(wish, zones)
  return {
    typed: draft.typed ?? wished?.labels ?? '',
    zone: draft.zone ?? wished?.zone ?? zone ?? zones[0] ?? '',
  }
}

function addedText({ fqdn, record_ipv4, record_ipv6 }: Domain): string {
  const isLive = record_ipv4 !== null || record_ipv6 !== null
  return isLive
    ? `${fqdn} was added and is live in DNS.`
    : `${fqdn} was added. DNS answers with its address after the first update.`
}

function useAdd(onAdded: (domain: Domain, isMoreToCome: boolean) => void) {
  const queries = useQueryClient()
  const [change] = useState(() => new RepeatableChange())
  return useWrite({
    mutationFn: ({ domain }: Sent) => change.send(domain, createDomain),
    onSuccess(domain, { isMoreToCome }) {
      void reloadDomains(queries)
      notify({ kind: 'success', text: addedText(domain) })
      onAdded(domain, isMoreToCome)
    },
  })
}

export function OneDomain(props: OneDomainProps) {
  const { zones, zonesFailure, limitReason, onLines, onClose, onAdded } = props
  const [draft, setDraft] = useState(EMPTY_DRAFT)
  const [isChecked, setChecked] = useState(false)
  const nameInput = useRef<HTMLInputElement>(null)
  const isMoreToCome = useRef(false)
  const name = nameOf(draft, props)
  const { mutate, isPending, error, reset } = useAdd((domain, isAnother) => {
    if (!isAnother) return onAdded(domain)
    setDraft({ ...EMPTY_DRAFT, typed: '', zone: name.zone })
    setChecked(false)
    nameInput.current?.focus()
  })
  const problem = error instanceof ApiProblem ? error : undefined
  const wrongName = nameError(problem)
  const wrong = addressErrors(problem, draft.rrtype)
  const isElsewhere = [wrongName, wrong.first, wrong.second].every((text) => text === undefined)
  const isBlocked = limitReason !== undefined || wholeName(name.typed, name.zone) === ''

  // The functions stay the same while the user types in another field, whose component is then not rendered.
  const hasError = error !== null
  const change = useCallback(
    (next: (draft: DomainDraft) => DomainDraft) => {
      if (hasError) reset()
      setDraft(next)
    },
    [hasError, reset],
  )
  function send(): void {
    setChecked(true)
    if (hasFault(draft)) return
    mutate({ domain: newDomainOf(draft, name), isMoreToCome: isMoreToCome.current })
  }
  const onKeyDown = useCallback((event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !event.shiftKey) return
    event.preventDefault()
    isMoreToCome.current = true
    // The form may be busy, or may have to wait.
    if (event.target instanceof HTMLInputElement) event.target.form?.requestSubmit()
    isMoreToCome.current = false
  }, [])
  return (
    <Modal
      title="Add domain"
      submit={{ label: 'Add Domain', busyLabel: 'Adding...' }}
      isBusy={isPending}
      isDisabled={isBlocked}
      onClose={onClose}
      onSubmit={send}
    >
      {limitReason !== undefined && <AtLimit reason={limitReason} />}
      {zonesFailure}
      {error && isElsewhere && <Failure error={error} otherwise="Failed to add domain" />}
      <NameField
        {...name}
        zones={zones}
        error={wrongName}
        inputRef={nameInput}
        onChange={(next) => change((typed) => ({ ...typed, ...next }))}
        onLines={(text) => onLines(text, name.zone)}
        onKeyDown={onKeyDown}
      />
      <AddressFields
        rrtype={draft.rrtype}
        address={draft.address}
        second={draft.second}
        firstError={wrong.first}
        secondError={wrong.second}
        isChecked={isChecked}
        onChange={change}
        onKeyDown={onKeyDown}
      />
      <p className="muted add-hint">
        <span className="needs-keyboard">
          <Keys keys={['Shift', 'Enter']} isSequence={false} /> adds the domain and leaves the form
          open.{' '}
        </span>
        Paste several lines to add up to 500 domains.
      </p>
    </Modal>
  )
}
