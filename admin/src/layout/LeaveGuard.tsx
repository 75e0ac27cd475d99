import { useEffect } from 'react'
import { useBlocker } from 'react-router'
import { Confirm } from './Confirm.tsx'

/** Asks before changes that are not saved are left behind, inside the panel and by closing the tab. */
export function LeaveGuard({ isDirty }: { isDirty: boolean }) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      isDirty && currentLocation.pathname !== nextLocation.pathname,
  )
  useEffect(() => {
    if (!isDirty) return undefined
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isDirty])
  return (
    <Confirm
      isOpen={blocker.state === 'blocked'}
      title="Leave without saving?"
      action="Leave"
      cancel="Stay"
      onConfirm={() => blocker.proceed?.()}
      onCancel={() => blocker.reset?.()}
    >
      The changes on this page are not saved.
    </Confirm>
  )
}
