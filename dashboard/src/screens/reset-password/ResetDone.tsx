import Button from '@mui/material/Button'
import type { WorkingCredentials } from '../../api/account.ts'
import { Outcome } from '../../components/Outcome.tsx'
import { hashOf } from '../../routes.ts'
import { credentialsIn } from '../new-password/working-credentials.ts'

/** What the new password left and ended. */
export interface Reset {
  readonly still: WorkingCredentials
  /** The credentials that were revoked with it; undefined when the user kept them. */
  readonly revoked: WorkingCredentials | undefined
}

/** Says what the new password ended, and what still works. */
export function ResetDone({ reset }: { readonly reset: Reset }) {
  const ended = reset.revoked === undefined ? [] : credentialsIn(reset.revoked)
  const still = credentialsIn(reset.still)
  return (
    <>
      <Outcome isGood title="Password Reset Successful!" />
      <div className="card-page-text">
        <h2>Ended</h2>
        <ul>
          <li>All sessions, on every device</li>
          <li>The old password, also in routers and scripts that used it</li>
          {ended.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
        {still.length > 0 && (
          <>
            <h2>Still works</h2>
            <ul>
              {still.map((text) => (
                <li key={text}>{text}</li>
              ))}
            </ul>
          </>
        )}
      </div>
      <Button variant="contained" size="large" fullWidth href={hashOf('login')}>
        Go to Login
      </Button>
    </>
  )
}
