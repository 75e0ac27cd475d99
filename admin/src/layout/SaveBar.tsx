import Button from '@mui/material/Button'
import { useFormState } from 'react-hook-form'
import { LeaveGuard } from './LeaveGuard.tsx'

/** The end of a form: the Save button, and the warning about unsaved changes. */
export function SaveBar({ isSaving }: { isSaving: boolean }) {
  const { isDirty } = useFormState()
  return (
    <div className="form-actions">
      <Button type="submit" variant="contained" disabled={!isDirty} loading={isSaving}>
        Save
      </Button>
      <span className="muted">{isDirty ? 'Unsaved changes' : 'No changes'}</span>
      <LeaveGuard isDirty={isDirty && !isSaving} />
    </div>
  )
}
