/** A dialog with a form: title, text, fields, and the buttons to submit and cancel. */
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import {
  createContext,
  type FormEvent,
  memo,
  type ReactNode,
  use,
  useCallback,
  useId,
  useLayoutEffect,
  useRef,
} from 'react'
import { DialogFrame } from './DialogFrame.tsx'
import { FormWait, useHold } from './form-wait.ts'

interface ModalProps {
  readonly title: string
  readonly children: ReactNode
  /** The submit button, and its label while the action runs. */
  readonly submit: {
    readonly label: string
    readonly busyLabel: string
    readonly isDanger?: boolean
  }
  /** Default: the narrowest. */
  readonly width?: 'xs' | 'sm' | 'md'
  /** Default: Cancel. */
  readonly closeLabel?: string
  readonly isBusy: boolean
  /** The form cannot be submitted yet. */
  readonly isDisabled?: boolean
  /** Why the form cannot be submitted yet. It is shown beside the buttons, and disables the one that submits. */
  readonly disabledReason?: string | undefined
  readonly onSubmit: () => void
  readonly onClose: () => void
}

const Inside = createContext<ReactNode>(null)

const Content = () => use(Inside)

/** A key in a field changes the content alone, not the styled components around it. */
const Body = memo(function Body() {
  return (
    <DialogContent className="modal-content">
      <Content />
    </DialogContent>
  )
})

interface ActionsProps extends Required<Pick<ModalProps, 'closeLabel' | 'isBusy' | 'isDisabled'>> {
  readonly label: string
  readonly isDanger: boolean
  /** Another attempt is not possible yet. */
  readonly isHeld: boolean
  readonly reason: string | undefined
  readonly onClose: () => void
}

const Actions = memo(function Actions(props: ActionsProps) {
  const { label, closeLabel, isDanger, isBusy, isHeld, isDisabled, reason, onClose } = props
  const reasonId = useId()
  return (
    <DialogActions>
      {reason !== undefined && (
        <span id={reasonId} className="modal-reason">
          {reason}
        </span>
      )}
      {/* Enter must not trigger a destructive action, so Cancel gets the focus. */}
      <Button autoFocus={isDanger} onClick={onClose} disabled={isBusy}>
        {closeLabel}
      </Button>
      <Button
        type="submit"
        variant="contained"
        color={isDanger ? 'error' : 'primary'}
        disabled={isDisabled}
        aria-disabled={isDisabled ? undefined : isHeld}
        aria-describedby={reason === undefined ? undefined : reasonId}
      >
        {label}
      </Button>
    </DialogActions>
  )
})

export function Modal(props: ModalProps) {
  const { title, children, submit, isBusy, disabledReason, onSubmit, onClose } = props
  const isDisabled = props.isDisabled === true || disabledReason !== undefined
  const { closeLabel = 'Cancel', width = 'xs' } = props
  const { waitSeconds, hold, labelOf } = useHold()
  const isHeld = isBusy || waitSeconds > 0
  const latest = useRef(onClose)
  useLayoutEffect(() => {
    latest.current = onClose
  })
  const close = useCallback(() => latest.current(), [])
  function send(event: FormEvent): void {
    event.preventDefault()
    // React passes events on to the form in which this dialog was rendered, although the document does not: that form would
    // be submitted too, and a discarded change would be saved.
    event.stopPropagation()
    if (!isHeld && !isDisabled) onSubmit()
  }
  return (
    <DialogFrame
      title={title}
      width={width}
      onClose={() => {
        if (!isBusy) onClose()
      }}
    >
      <form noValidate onSubmit={send}>
        <Inside value={<FormWait value={hold}>{children}</FormWait>}>
          <Body />
        </Inside>
        <Actions
          label={isBusy ? submit.busyLabel : labelOf(submit.label)}
          closeLabel={closeLabel}
          isDanger={submit.isDanger === true}
          isBusy={isBusy}
          isHeld={isHeld}
          isDisabled={isDisabled}
          reason={isBusy ? undefined : disabledReason}
          onClose={close}
        />
      </form>
    </DialogFrame>
  )
}
