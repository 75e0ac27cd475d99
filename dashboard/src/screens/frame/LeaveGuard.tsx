/**
 * Protects unsaved changes while it is mounted: asks before the user goes to another screen or section, and lets the
 * browser ask before the page is closed or reloaded.
 */
import { useEffect, useRef, useState } from 'react'
import { Modal } from '../../components/Modal.tsx'
import { go, placeOf } from '../../routes.ts'

/** Whether two fragments differ at most in the state of the screen. */
function isSamePlace(one: string, other: string): boolean {
  const [a, b] = [placeOf(one), placeOf(other)]
  return a?.screen === b?.screen && a?.argument === b?.argument
}

function askBrowser(event: BeforeUnloadEvent): void {
  event.preventDefault()
}

interface LeaveGuardProps {
  readonly title?: string
  readonly text?: string
  /** The button that leaves. */
  readonly submit?: string
}

export function LeaveGuard({
  title = 'Discard your changes?',
  text = 'You have changes on this page that are not saved.',
  submit = 'Discard Changes',
}: LeaveGuardProps) {
  const [wanted, setWanted] = useState<string>()
  const here = useRef(location.hash)
  const isLeaving = useRef(false)
  useEffect(() => {
    function hold(event: Event): void {
      if (isLeaving.current) return
      const { hash } = location
      if (isSamePlace(hash, here.current)) {
        here.current = hash
        return
      }
      // Before the listener that changes the screen.
      event.stopImmediatePropagation()
      history.replaceState(null, '', here.current)
      setWanted(hash)
    }
    addEventListener('hashchange', hold, { capture: true })
    addEventListener('beforeunload', askBrowser)
    return () => {
      removeEventListener('hashchange', hold, { capture: true })
      removeEventListener('beforeunload', askBrowser)
    }
  }, [])
  if (wanted === undefined) return null
  return (
    <Modal
      title={title}
      submit={{ label: submit, busyLabel: 'Leaving...', isDanger: true }}
      isBusy={false}
      onClose={() => setWanted(undefined)}
      onSubmit={() => {
        isLeaving.current = true
        go(wanted === '' ? '#' : wanted, { replace: true })
      }}
    >
      <p>{text}</p>
    </Modal>
  )
}
