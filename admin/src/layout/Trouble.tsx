import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import { messageOf, requestIdOf } from '../api/problem.ts'

interface TroubleProps {
  readonly error: unknown
  readonly onRetry?: () => void
}

/** An error: its message, the request id, and a button to retry. */
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
