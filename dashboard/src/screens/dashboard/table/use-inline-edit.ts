/**
 * Changes the addresses of a domain in its row. The row shows the new addresses at once. If the service refuses them, it
 * shows the old ones again, and the field returns with what the user typed and the reason.
 */
import { useWrite } from '@homing/theme/parts/use-write.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type AddressChange,
  type Domain,
  readDomain,
  showInTable,
  updateDomain,
} from '../../../api/domains.ts'
import { ApiProblem, textOf } from '../../../api/problem.ts'
import { addressesIn, addressesOf, changeFrom, isChange } from '../address-change.ts'
import { useSavedNotice } from '../saved-notice.ts'

export interface InlineEdit {
  /** As the user saw it; after a conflict, as it is at the service. */
  readonly domain: Domain
  readonly text: string
  readonly isSaving: boolean
  /** Why the service refused the text. */
  readonly reason: string | undefined
  /** Another client changed the domain in the meantime. */
  readonly isConflict: boolean
}

interface Change {
  readonly base: Domain
  readonly change: AddressChange
}

export const addressText = (domain: Domain): string =>
  Object.values(addressesOf(domain)).filter(Boolean).join(', ')

/** The reason for people. An error of a field is more precise than that of the call. */
function reasonOf(error: Error): string {
  const ofField = error instanceof ApiProblem ? error.of('record_ipv4', 'record_ipv6') : undefined
  return ofField ?? textOf(error, 'Failed to update domain')
}

/** The domain as it is at the service; undefined if it cannot be read. */
async function currentOf({ id }: Domain): Promise<Domain | undefined> {
  try {
    return await readDomain(id)
  } catch {
    return undefined
  }
}

export interface InlineEditing {
  readonly edit: InlineEdit | undefined
  readonly begin: (domain: Domain) => void
  readonly type: (text: string) => void
  readonly save: () => void
  readonly cancel: () => void
}

export function useInlineEdit(): InlineEditing {
  const queries = useQueryClient()
  const tell = useSavedNotice()
  const [edit, setEdit] = useState<InlineEdit>()
  const { mutate } = useWrite({
    async mutationFn({ base, change }: Change) {
      showInTable(queries, { ...base, ...change })
      return updateDomain(base.id, base.version, change)
    },
    onSuccess(after, { base, change }) {
      showInTable(queries, after)
      setEdit(undefined)
      tell({ before: base, after, change })
    },
    async onError(error, { base }) {
      const isConflict = error instanceof ApiProblem && error.status === 412
      const theirs = isConflict ? await currentOf(base) : undefined
      showInTable(queries, theirs ?? base)
      const answer = { isSaving: false, isConflict: theirs !== undefined, reason: reasonOf(error) }
      setEdit((now) => now && { ...now, ...answer, domain: theirs ?? base })
    },
  })

  function save(): void {
    if (edit === undefined || edit.isSaving) return
    const change = changeFrom(addressesOf(edit.domain), addressesIn(edit.text))
    if (!isChange(change)) {
      setEdit(undefined)
      return
    }
    setEdit({ ...edit, isSaving: true })
    mutate({ base: edit.domain, change })
  }
  return {
    edit,
    begin(domain) {
      if (edit?.isSaving === true) return
      const start = { isSaving: false, isConflict: false, reason: undefined }
      setEdit({ ...start, domain, text: addressText(domain) })
    },
    type: (text) => setEdit((now) => now && { ...now, text, reason: undefined }),
    save,
    cancel: () => setEdit((now) => (now?.isSaving === true ? now : undefined)),
  }
}
