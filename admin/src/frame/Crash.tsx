import Button from '@mui/material/Button'
import { Trouble } from '../layout/Trouble.tsx'

interface CrashProps {
  readonly error: Error
  readonly resetErrorBoundary: (cause: unknown) => void
}

/** Shown when a page crashes. The other pages still work. */
export function Crash({ error, resetErrorBoundary }: CrashProps) {
  return (
    <main className="content">
      <h1>Something went wrong on this page</h1>
      <Trouble error={error} onRetry={() => resetErrorBoundary(undefined)} />
      <p>
        <Button href="/admin/" variant="outlined">
          Go to the start page
        </Button>
      </p>
    </main>
  )
}
