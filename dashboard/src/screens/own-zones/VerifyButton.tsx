import Button from '@mui/material/Button'
import { Failure } from '@homing/theme/parts/Failure.tsx'
import { Message } from '@homing/theme/parts/Message.tsx'
import type { UseMutationResult } from '@tanstack/react-query'
import { textOf } from '../../api/problem.ts'
import type { VanityVerification } from '../../api/own-zones.ts'

interface VerifyButtonProps {
  readonly verify: Pick<
    UseMutationResult<Pick<VanityVerification, 'status' | 'message'>>,
    'data' | 'error' | 'isPending'
  > & { readonly mutate: () => void }
  readonly label: string
  readonly isMain?: boolean
}

/** Checks now, and says what came of it. */
export function VerifyButton({ verify, label, isMain = false }: VerifyButtonProps) {
  const { data, error, isPending, mutate } = verify
  return (
    <>
      <Button
        variant={isMain ? 'contained' : 'outlined'}
        className="fit"
        aria-disabled={isPending}
        onClick={() => mutate()}
      >
        {isPending ? 'Checking...' : label}
      </Button>
      {error && (
        <Failure error={error} text={`Verification failed. ${textOf(error, '')}`.trimEnd()} />
      )}
      {data !== undefined && !isPending && error === null && (
        <Message tone={data.status === 'verified' ? 'success' : 'warn'}>
          <p>{data.message}</p>
        </Message>
      )}
    </>
  )
}
