import Button from '@mui/material/Button'
import { Trouble } from '../layout/Trouble.tsx'

interface CrashProps {
  readonly error: Error
  readonly resetErrorBoundary: (cause: unknown) => void
}

/** A page that fell over. The others still work. */
export function Crash({ error, resetErrorBoundary }: CrashProps) {
  return (
    <main className="content">
      <h1>This page does not work</h1>
      <Trouble error={error} onRetry={() => resetErrorBoundary(undefined)} />
      <p>
        <Button href="/admin/" variant="outlined">
          To the beginning
        </Button>
      </p>
    </main>
  )
}
