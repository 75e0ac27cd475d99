/** Lets the code that submits a form set its values. react-admin keeps the form's state inside of the form. */
import { type RefObject, useEffect, useImperativeHandle, useRef } from 'react'
import type { RaRecord } from 'react-admin'
import { useFormContext, useFormState, type UseFormReturn } from 'react-hook-form'

type Handle = RefObject<UseFormReturn | null>

/** When the record is read again, the form keeps the fields that the user changed. */
export const KEEP_CHANGES = { keepDirtyValues: true, keepDirty: true } as const

export interface FormHandle<R extends RaRecord = RaRecord> {
  /** For `FormHandle`, inside of the form. */
  readonly handle: Handle
  /**
   * The record that the unsaved changes started from. When another action of the page reads it again, the user does not
   * see the new values of the fields that they changed.
   */
  readonly base: RefObject<R>
  /** Shows a record without unsaved changes. */
  readonly show: (record: R) => void
  /** Shows a record with changes to it, which are not saved yet. */
  readonly showChanged: (record: R, changes: Readonly<Record<string, unknown>>) => void
}

export function useFormHandle<R extends RaRecord>(record: R): FormHandle<R> {
  const handle = useRef<UseFormReturn>(null)
  const base = useRef(record)
  const show = (shown: R) => {
    base.current = shown
    handle.current?.reset(shown)
  }
  return {
    handle,
    base,
    show,
    showChanged(shown, changes) {
      show(shown)
      for (const [name, value] of Object.entries(changes)) {
        handle.current?.setValue(name, value, { shouldDirty: true })
      }
    },
  }
}

interface FormHandleProps<R extends RaRecord> extends Pick<FormHandle<R>, 'handle' | 'base'> {
  readonly record: R
}

export function FormHandle<R extends RaRecord>({ handle, base, record }: FormHandleProps<R>) {
  const form = useFormContext()
  const { isDirty } = useFormState()
  useImperativeHandle(handle, () => form, [form])
  useEffect(() => {
    if (!isDirty) base.current = record
  }, [base, isDirty, record])
  return null
}
