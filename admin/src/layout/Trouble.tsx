import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import { messageOf, requestIdOf } from '../api/problem.ts'

interface TroubleProps {
  readonly error: unknown
  readonly onRetry?: () => void
}

/** Something could not be had: why, under which id the log has it, and the way to try again. */
export function Trouble({ error, onRetry }: TroubleProps) {
  const requestId = requestIdOf(error)
  return (
    <Alert
      severity="error"
      className="trouble"
      action={
        onRetry && (
          <Button color="inherit" onClick={onRetry}>
            Retry
          </Button>
        )
      }
    >
      {messageOf(error)}
      {requestId && (
        <span className="trouble-id">
          Request <code>{requestId}</code>
        </span>
      )}
    </Alert>
  )
}
