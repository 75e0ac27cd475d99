import Dialog from '@mui/material/Dialog'
import DialogTitle from '@mui/material/DialogTitle'
import {
  createContext,
  memo,
  type ReactNode,
  use,
  useCallback,
  useId,
  useLayoutEffect,
  useRef,
} from 'react'
import { Announcer } from './Announcer.tsx'
import { useScrollLock } from './scroll-lock.ts'

interface Outside {
  readonly title: string
  /** Default: the narrowest. */
  readonly width?: 'xs' | 'sm' | 'md'
  /** The id of the element that describes the dialog. */
  readonly describedBy?: string | undefined
}

interface DialogFrameProps extends Outside {
  /** For Escape and a click beside the dialog; without it, both do nothing. */
  readonly onClose?: () => void
  readonly children: ReactNode
}

const Inside = createContext<ReactNode>(null)

/** Renders what is inside the dialog. A change there does not render the dialog around it. */
const Content = () => use(Inside)

interface ShellProps extends Outside {
  readonly onClose: () => void
}

/** A key in a field changes the content alone: rendering the dialog with it would take longer than the content. */
const Shell = memo(function Shell({ title, width = 'xs', describedBy, onClose }: ShellProps) {
  const titleId = useId()
  useScrollLock()
  return (
    <Dialog
      open
      disableScrollLock
      fullWidth
      maxWidth={width}
      className="modal"
      aria-labelledby={titleId}
      aria-describedby={describedBy}
      onClose={onClose}
    >
      <DialogTitle id={titleId}>{title}</DialogTitle>
      <Content />
      <Announcer />
    </Dialog>
  )
})

/** The frame of every dialog: its title, and announcements for screen readers, for which the page below is hidden. */
export function DialogFrame({ onClose, children, ...outside }: DialogFrameProps) {
  const latest = useRef(onClose)
  useLayoutEffect(() => {
    latest.current = onClose
  })
  const close = useCallback(() => latest.current?.(), [])
  return (
    <Inside value={children}>
      <Shell {...outside} onClose={close} />
    </Inside>
  )
}
