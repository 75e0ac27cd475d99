/** Disables a web forward with a reason for its owner, and blocks its target for everybody if the administrator wants it. */
import { FORWARD_TEXT_LIMITS } from '@homing/openapi/vocabulary'
import { Select } from '@homing/theme/parts/Select.tsx'
import { useWrite } from '@homing/theme/parts/use-write.ts'
import { useState } from 'react'
import { useDataProvider, useNotify, useRefresh } from 'react-admin'
import type { AdminWebForward, NewBlockedTarget } from '../../api/client.ts'
import type { AdminDataProvider } from '../../dataProvider.ts'
import { ReasonDialog } from '../../layout/ReasonDialog.tsx'
import { SCOPE_CHOICES } from '../../layout/blocked-scopes.ts'

const DISABLING =
  'The forward ends at once, and DNS resolves the domain to its own addresses. The owner can neither change nor delete the forward, nor delete the domain.'
const THIS_ALONE =
  'Nobody can create another forward to its target while it is disabled. Other forwards to it continue.'
const EVERYBODY =
  'All forwards to the blocked part of the target end, and nobody can create one until an administrator ends the block.'

type Blocking = 'none' | NewBlockedTarget['scope']

/** A target without a path can only be blocked as a host. */
const choicesFor = (target: string): readonly (readonly [Blocking, string])[] => [
  ['none', 'Nothing'],
  ...SCOPE_CHOICES.filter(([scope]) => scope !== 'path' || new URL(target).pathname !== '/'),
]

function useDisabling({ id, fqdn, target_url }: AdminWebForward, onClose: () => void) {
  const provider = useDataProvider<AdminDataProvider>()
  const notify = useNotify()
  return useWrite({
    async mutationFn({ reason, scope }: { reason: string; scope: Blocking }) {
      // First what needs no confirmed identity.
      await provider.moderateForward(id, { is_disabled: true, reason })
      if (scope === 'none') return `The web forward of ${fqdn} is disabled.`
      const { host } = await provider.blockTarget({ target: target_url, scope, reason })
      return `The web forward of ${fqdn} is disabled, and ${host} is blocked.`
    },
    onSuccess(message) {
      notify(message, { type: 'success' })
      onClose()
    },
  })
}

interface DisableDialogProps {
  readonly forward: AdminWebForward
  readonly onClose: () => void
}

export function DisableDialog({ forward, onClose }: DisableDialogProps) {
  const [scope, setScope] = useState<Blocking>('none')
  const refresh = useRefresh()
  const close = () => {
    // The forward may be disabled although its target could not be blocked.
    refresh()
    onClose()
  }
  const { mutate, isPending, error } = useDisabling(forward, close)
  return (
    <ReasonDialog
      title={`Disable the web forward of ${forward.fqdn}?`}
      submit={{ label: 'Disable', busyLabel: 'Disabling…' }}
      help="The owner reads it."
      maxLength={FORWARD_TEXT_LIMITS.disabled_reason}
      isBusy={isPending}
      error={error}
      onSubmit={(reason) => mutate({ reason, scope })}
      onClose={close}
    >
      <p className="monospace breakable">{forward.target_url}</p>
      <p>{DISABLING}</p>
      <Select
        label="Block for everybody"
        value={scope}
        choices={choicesFor(forward.target_url)}
        onChange={setScope}
        help={scope === 'none' ? THIS_ALONE : EVERYBODY}
      />
    </ReasonDialog>
  )
}
