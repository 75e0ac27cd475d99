/**
 * Protects unsaved changes while it is mounted: asks before the user goes to another screen or section, and lets the
 * browser ask before the page is closed or reloaded.
 */
import { useEffect, useRef, useState } from 'react'
import { Modal } from '@homing/theme/parts/Modal.tsx'
import { dialogAt } from '../../dialog-url.ts'
import { placeOf } from '../../routes.ts'
import { holdPlace } from '../../shown-place.ts'
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
  const [leave, setLeave] = useState<() => void>()
  const here = useRef(location.hash)
  const isLeaving = useRef(false)
  useEffect(beginUnsaved, [])
  useEffect(() => {
    const letGo = holdPlace((hash) =>
      isLeaving.current || isSamePlace(hash, here.current, isInDialog)
        ? undefined
        : (repeat) => setLeave(() => repeat),
    )
    addEventListener('beforeunload', askBrowser)
    return () => {
      letGo()
      removeEventListener('beforeunload', askBrowser)
    }
  }, [isInDialog])
  if (leave === undefined) return null
  return (
    <Modal
      title={title}
      submit={{ label: submit, busyLabel: 'Leaving...', isDanger: true }}
      isBusy={false}
      onClose={() => setLeave(undefined)}
      onSubmit={() => {
        isLeaving.current = true
        leave()
      }}
    >
      <p>{text}</p>
    </Modal>
  )
}
