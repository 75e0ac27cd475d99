import { useDataProvider } from 'react-admin'
import type { AdminUser } from '../../api/client.ts'
import type { AdminDataProvider } from '../../dataProvider.ts'
import { Ago } from '../../layout/Ago.tsx'
import { PauseButton } from './PauseButton.tsx'

/** Whether the monitors of an account are paused and why, and the button to pause or resume them. */
export function AccountPause({ user }: { user: AdminUser }) {
  const provider = useDataProvider<AdminDataProvider>()
  const { id, username, monitoring_paused_at: since, monitoring_pause_reason: reason } = user
  const isPaused = since !== null
  return (
    <>
      <p className="panel-text">
        {isPaused ? (
          <>
            The monitors were paused <Ago time={since} never="" />: {reason}
          </>
        ) : (
          'Monitors of this account run if its plan includes them.'
        )}
      </p>
      <PauseButton
        subject={`the monitors of ${username}`}
        isPaused={isPaused}
        resuming="The monitors that the owner turned on run again, if the plan includes them."
        save={(pause) => provider.pauseAccountMonitoring(id, pause)}
      />
    </>
  )
}
