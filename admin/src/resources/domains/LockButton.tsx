import { useWrite } from '@homing/theme/parts/use-write.ts'
import Button from '@mui/material/Button'
import { useId, useState } from 'react'
import { useDataProvider, useNotify, useRefresh } from 'react-admin'
import { Link } from 'react-router'
import type { AdminDomain } from '../../api/client.ts'
import type { AdminDataProvider } from '../../dataProvider.ts'
import { Confirm } from '../../layout/Confirm.tsx'
import { messageOf } from '../../api/problem.ts'

const LOCKING =
  'DNS stops serving the domain, its wildcard and the domains below it within moments. Their owner cannot update or delete them, and nobody can register a domain below it. Nothing is deleted. Unlock the domain to serve them again.'
const UNLOCKING =
  'DNS serves the domain, its wildcard and the domains below it again, unless they are withheld for another reason.'

function useSetLocked({ id }: AdminDomain) {
  const provider = useDataProvider<AdminDataProvider>()
  const notify = useNotify()
  const refresh = useRefresh()
  return useWrite({
    mutationFn: (locked: boolean) => provider.setLocked(id, locked),
    onSuccess({ data }) {
      const isLocked = data.withheld_by.includes('locked')
      notify(`${data.fqdn} is ${isLocked ? 'locked' : 'unlocked'}.`, { type: 'success' })
      refresh()
    },
    onError: (error) => notify(messageOf(error), { type: 'error', autoHideDuration: null }),
  })
}

/** Locks or unlocks the domain after confirmation. */
export function LockButton({ domain }: { domain: AdminDomain }) {
  const isLocked = domain.withheld_by.includes('locked')
  const [isAsked, setAsked] = useState(false)
  const { mutate, isPending } = useSetLocked(domain)
  const effectId = useId()
  const verb = isLocked ? 'Unlock' : 'Lock'
  const effect = isLocked ? UNLOCKING : LOCKING
  if (domain.is_wildcard) {
    return (
      <p className="panel-text">
        A wildcard has the lock of its domain. {verb}{' '}
        <Link to={`/domains/${domain.base_id}/show`}>the domain</Link> instead.
      </p>
    )
  }
  return (
    <>
      <p className="panel-text" id={effectId}>
        {effect}
      </p>
      <Button
        variant="outlined"
        color={isLocked ? 'primary' : 'error'}
        aria-describedby={effectId}
        onClick={() => setAsked(true)}
      >
        {verb}
      </Button>
      {isAsked && (
        <Confirm
          title={`${verb} ${domain.fqdn}?`}
          action={verb}
          isBusy={isPending}
          onConfirm={() => mutate(!isLocked, { onSettled: () => setAsked(false) })}
          onCancel={() => setAsked(false)}
        >
          {effect}
        </Confirm>
      )}
    </>
  )
}
