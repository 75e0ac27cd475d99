/** Two users changed a record at the same time: the form names the changes of the other one, and keeps its own. */
import { type RaRecord, useEditContext, useNotify } from 'react-admin'
import { messageOf } from '../api/problem.ts'
import type { FormHandle } from './FormHandle.tsx'

interface Theirs<Field extends string, Value> {
  /** Says that the record was changed. */
  readonly opening: string
  /** The label of each field that can be changed. */
  readonly labels: Readonly<Record<Field, string>>
  /** The fields that somebody else changed, with their new values. */
  readonly changes: { readonly [Name in Field]?: Value | undefined }
  readonly valueText: (value: Value) => string
}

/** What somebody else changed: the fields with their new values. Pure. */
export function conflictText<Field extends string, Value>(theirs: Theirs<Field, Value>): string {
  const { opening, labels, changes, valueText } = theirs
  const fields = (Object.keys(labels) as Field[]).flatMap((field) => {
    const value = changes[field]
    return value === undefined ? [] : [`${labels[field]}: now ${valueText(value)}.`]
  })
  const next = 'Your changes are still in the form. Check them, then save again.'
  return [opening, ...fields, next].join(' ')
}

interface Join<R> {
  /** The notice. @param before the record that the unsaved changes started from */
  readonly text: (before: R, present: R) => string
  /** The own changes on top of the present record. */
  readonly onTopOf: (present: R, before: R) => Readonly<Record<string, unknown>>
}

/** Reads the record again, and shows it with the own changes, so that they can be saved. */
export function useConflict<R extends RaRecord>({ base, showChanged }: FormHandle<R>) {
  const { refetch } = useEditContext<R>()
  const notify = useNotify()
  return async ({ text, onTopOf }: Join<R>): Promise<void> => {
    const { data: present, error } = await refetch()
    const stays = { type: 'error', autoHideDuration: null } as const
    if (error || present === undefined) return notify(messageOf(error), stays)
    const before = base.current
    showChanged(present, onTopOf(present, before))
    return notify(text(before, present), stays)
  }
}
