/** Blocks a target for the web forwards of all accounts. */
import { FORWARD_TEXT_LIMITS } from '@homing/openapi/vocabulary'
import { Field } from '@homing/theme/parts/Field.tsx'
import { Select } from '@homing/theme/parts/Select.tsx'
import { useWrite } from '@homing/theme/parts/use-write.ts'
import Button from '@mui/material/Button'
import { useState } from 'react'
import { useDataProvider, useNotify, useRefresh } from 'react-admin'
import type { NewBlockedTarget } from '../../api/client.ts'
import type { AdminDataProvider } from '../../dataProvider.ts'
import { ReasonDialog } from '../../layout/ReasonDialog.tsx'
import { SCOPE_CHOICES } from '../../layout/blocked-scopes.ts'

const BLOCKING =
  'Forwards to the target end at once, and nobody can create one, not even by a redirect. The block stays until an administrator ends it.'

function BlockDialog({ onClose }: { readonly onClose: () => void }) {
  const [target, setTarget] = useState('')
  const [scope, setScope] = useState<NewBlockedTarget['scope']>('host')
  const provider = useDataProvider<AdminDataProvider>()
  const notify = useNotify()
  const refresh = useRefresh()
  const { mutate, isPending, error } = useWrite({
    mutationFn: (wanted: NewBlockedTarget) => provider.blockTarget(wanted),
    onSuccess({ host }) {
      notify(`${host} is blocked.`, { type: 'success' })
      refresh()
      onClose()
    },
  })
  return (
    <ReasonDialog
      title="Block a target?"
      submit={{ label: 'Block', busyLabel: 'Blocking…' }}
      help="The owners of the forwards read it."
      maxLength={FORWARD_TEXT_LIMITS.disabled_reason}
      isBusy={isPending}
      isIncomplete={target.trim() === ''}
      error={error}
      onSubmit={(reason) => mutate({ target: target.trim(), scope, reason })}
      onClose={onClose}
    >
      <p>{BLOCKING}</p>
      <Field
        label="Target"
        help="A host or a URL. The block applies to http and https, to every port and to every query."
        required
        autoComplete="off"
        spellCheck={false}
        maxLength={FORWARD_TEXT_LIMITS.target_url}
        value={target}
        onChange={(event) => setTarget(event.target.value)}
      />
      <Select label="Scope" value={scope} choices={SCOPE_CHOICES} onChange={setScope} />
    </ReasonDialog>
  )
}

export function BlockButton() {
  const [isAsked, setAsked] = useState(false)
  return (
    <>
      <Button variant="outlined" color="error" onClick={() => setAsked(true)}>
        Block a target
      </Button>
      {isAsked && <BlockDialog onClose={() => setAsked(false)} />}
    </>
  )
}
