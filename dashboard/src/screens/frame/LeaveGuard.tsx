/**
 * Protects unsaved changes while it is mounted: asks before the user goes to another screen or section, and lets the
 * browser ask before the page is closed or reloaded.
 */
import { useEffect, useRef, useState } from 'react'
import { Modal } from '@homing/theme/parts/Modal.tsx'
import { dialogAt } from '../../dialog-url.ts'
import { go, placeOf } from '../../routes.ts'
import { beginUnsaved } from './unsaved.ts'

/** Whether what the guard protects is at both fragments. They can differ in the state of the screen, such as a filter. */
function isSamePlace(one: string, other: string, isInDialog: boolean): boolean {
  const [a, b] = [placeOf(one), placeOf(other)]
  const [own, next] = [dialogAt(one), dialogAt(other)]
  const isSameDialog = own.name === next.name && own.id === next.id
  return a?.screen === b?.screen && a?.argument === b?.argument && (!isInDialog || isSameDialog)
}

function askBrowser(event: BeforeUnloadEvent): void {
  event.preventDefault()
}

interface LeaveGuardProps {
  readonly title?: string
  readonly text?: string
  /** The button that leaves. */
  readonly submit?: string
  /** The changes are lost when the dialog leaves the URL. */
  readonly isInDialog?: boolean
}

export function LeaveGuard({
  title = 'Discard your changes?',
  text = 'You have changes on this page that are not saved.',
  submit = 'Discard Changes',
  isInDialog = false,
}: LeaveGuardProps) {
  const [wanted, setWanted] = useState<string>()
  const here = useRef(location.hash)
  const isLeaving = useRef(false)
  useEffect(beginUnsaved, [])
  useEffect(() => {
    function hold(event: Event): void {
      if (isLeaving.current) return
      const { hash } = location
      if (isSamePlace(hash, here.current, isInDialog)) {
        here.current = hash
        return
      }
      // Before the listener that changes the screen.
      event.stopImmediatePropagation()
      history.replaceState(history.state, '', here.current)
      setWanted(hash)
    }
    addEventListener('hashchange', hold, { capture: true })
    addEventListener('beforeunload', askBrowser)
    return () => {
      removeEventListener('hashchange', hold, { capture: true })
      removeEventListener('beforeunload', askBrowser)
    }
  }, [isInDialog])
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
