/** Lets the code that submits a form set its values. react-admin keeps the form's state inside of the form. */
import { type RefObject, useImperativeHandle, useRef } from 'react'
import type { RaRecord } from 'react-admin'
import { useFormContext, type UseFormReturn } from 'react-hook-form'

type Handle = RefObject<UseFormReturn | null>

/** When the record is read again, the form keeps the fields that the user changed. */
export const KEEP_CHANGES = { keepDirtyValues: true, keepDirty: true } as const

export interface FormHandle {
  /** For `FormHandle`, inside of the form. */
  readonly handle: Handle
  /** Shows a record without unsaved changes. */
  readonly show: (record: RaRecord) => void
  /** Shows a record with changes to it, which are not saved yet. */
  readonly showChanged: (record: RaRecord, changes: Readonly<Record<string, unknown>>) => void
}

export function useFormHandle(): FormHandle {
  const handle = useRef<UseFormReturn>(null)
  const show = (record: RaRecord) => handle.current?.reset(record)
  return {
    handle,
    show,
    showChanged(record, changes) {
      show(record)
      for (const [name, value] of Object.entries(changes)) {
        handle.current?.setValue(name, value, { shouldDirty: true })
      }
    },
  }
}

export function FormHandle({ handle }: { readonly handle: Handle }) {
  const form = useFormContext()
  useImperativeHandle(handle, () => form, [form])
  return null
}
