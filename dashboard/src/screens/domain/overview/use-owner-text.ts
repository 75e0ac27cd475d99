/** A text that the owner of a domain writes about it, edited in place. */
import { notify } from '@homing/theme/parts/Notices.tsx'
import { useWrite } from '@homing/theme/parts/use-write.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type Domain,
  type DomainChange,
  readDomain,
  showDomain,
  updateDomain,
} from '../../../api/domains.ts'
import { ApiProblem } from '../../../api/problem.ts'
import { reloadDomains } from '../../dashboard/reload-domains.ts'

export interface OwnerText {
  /** Named in messages: `note`. */
  readonly what: string
  readonly of: (domain: Domain) => string
  readonly change: (text: string) => DomainChange
}

interface Edit {
  /** The text when the user began to edit it. */
  readonly base: string
  readonly typed: string
}

const isConflict = (error: unknown): boolean => error instanceof ApiProblem && error.status === 412

/**
 * Saves the text if nobody else changed it since the user began to edit it. A new version of the domain alone is no
 * conflict: every update of an address makes one.
 *
 * @throws ApiProblem `version-mismatch`, NetworkFailure
 */
async function save(domain: Domain, text: OwnerText, { base, typed }: Edit): Promise<Domain> {
  const change = text.change(typed)
  try {
    return await updateDomain(domain.id, domain.version, change)
  } catch (error) {
    if (!isConflict(error)) throw error
    const now = await readDomain(domain.id)
    if (text.of(now) !== base) throw error
    return updateDomain(now.id, now.version, change)
  }
}

export interface OwnerTextEdit {
  /** What the user typed; undefined while they do not edit. */
  readonly typed: string | undefined
  readonly current: string
  readonly isDirty: boolean
  /** Another client changed the text while the user edited it. */
  readonly hasConflict: boolean
  readonly isBusy: boolean
  readonly error: Error | null
  readonly begin: () => void
  readonly type: (typed: string) => void
  readonly cancel: () => void
  /** After a conflict, it replaces the other change. */
  readonly save: () => void
}

export function useOwnerText(domain: Domain, text: OwnerText): OwnerTextEdit {
  const queries = useQueryClient()
  const [edit, setEdit] = useState<Edit>()
  const current = text.of(domain)
  const { mutate, isPending, error, reset } = useWrite({
    mutationFn: (sent: Edit) => save(domain, text, sent),
    onSuccess(changed) {
      showDomain(queries, changed)
      void reloadDomains(queries)
      setEdit(undefined)
      notify({ kind: 'success', text: `The ${text.what} was saved.` })
    },
    async onError(failure) {
      if (isConflict(failure)) await reloadDomains(queries)
    },
  })
  const hasConflict = edit !== undefined && current !== edit.base && current !== edit.typed
  const change = (next: Edit | undefined) => {
    reset()
    setEdit(next)
  }
  return {
    typed: edit?.typed,
    current,
    isDirty: edit !== undefined && edit.typed !== current,
    hasConflict,
    isBusy: isPending,
    // The page shows both versions instead.
    error: isConflict(error) ? null : error,
    begin: () => change({ base: current, typed: current }),
    type: (typed) => change({ base: edit?.base ?? current, typed }),
    cancel: () => change(undefined),
    save: () => edit && mutate({ base: current, typed: edit.typed }),
  }
}
