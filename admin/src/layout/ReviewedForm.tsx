/** The form of a record whose changes have effects: the administrator reviews them before the change is saved. */
import { type ComponentProps, type ReactNode, useState } from 'react'
import { Form, type RaRecord, useNotify } from 'react-admin'
import { faultsOf, messageOf } from '../api/problem.ts'
import { Effects } from './Effects.tsx'
import { FormHandle, type FormHandle as Handle, KEEP_CHANGES } from './FormHandle.tsx'
import { SaveBar } from './SaveBar.tsx'

/** Fetches the effects of a change. @param preview the call of the API */
export function usePreview<Change, Preview>(preview: (change: Change) => Promise<Preview>) {
  const [isCounting, setCounting] = useState(false)
  const previewed = async (change: Change): Promise<Preview> => {
    setCounting(true)
    try {
      return await preview(change)
    } finally {
      setCounting(false)
    }
  }
  return { isCounting, previewed }
}

/** Shows the error of a submission, unless a field shows it itself. */
export function useComplaint(): (error: unknown) => void {
  const notify = useNotify()
  return (error) => {
    if (!faultsOf(error)) notify(messageOf(error), { type: 'error', autoHideDuration: null })
  }
}

interface ReviewedFormProps<R extends RaRecord> extends Required<
  Pick<ComponentProps<typeof Form>, 'onSubmit'>
> {
  readonly record: R
  readonly form: Handle<R>
  readonly question: ComponentProps<typeof Effects>['question']
  readonly isSaving: boolean
  /** The fields. */
  readonly children: ReactNode
}

export function ReviewedForm<R extends RaRecord>(props: ReviewedFormProps<R>) {
  const { record, form, question, isSaving, onSubmit, children } = props
  return (
    <>
      <Form
        record={record}
        onSubmit={onSubmit}
        resetOptions={KEEP_CHANGES}
        className="stack"
        noValidate
      >
        <FormHandle handle={form.handle} base={form.base} record={record} />
        {children}
        <SaveBar isSaving={isSaving} />
      </Form>
      <Effects question={question} />
    </>
  )
}
