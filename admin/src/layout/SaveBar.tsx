import Button from '@mui/material/Button'
import { useFormState } from 'react-hook-form'
import { LeaveGuard } from './LeaveGuard.tsx'

/** The end of a form: what is saved by it, and what is not saved is not lost by leaving. */
export function SaveBar({ isSaving }: { isSaving: boolean }) {
  const { isDirty } = useFormState()
  return (
    <div className="form-actions">
      <Button type="submit" variant="contained" disabled={!isDirty} loading={isSaving}>
        Save
      </Button>
      <span className="faint">{isDirty ? 'Not saved yet.' : 'Nothing has been changed.'}</span>
      <LeaveGuard isDirty={isDirty && !isSaving} />
    </div>
  )
}
