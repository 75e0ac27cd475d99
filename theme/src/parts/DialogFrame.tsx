import Dialog from '@mui/material/Dialog'
import DialogTitle from '@mui/material/DialogTitle'
import { type ReactNode, useId } from 'react'
import { Announcer } from './Announcer.tsx'

interface DialogFrameProps {
  readonly title: string
  /** Default: the narrowest. */
  readonly width?: 'xs' | 'sm' | 'md'
  /** For Escape and a click beside the dialog; without it, both do nothing. */
  readonly onClose?: () => void
  /** The id of the element that describes the dialog. */
  readonly describedBy?: string
  readonly children: ReactNode
}

/** The frame of every dialog: its title, and announcements for screen readers, for which the page below is hidden. */
export function DialogFrame(props: DialogFrameProps) {
  const { title, width = 'xs', onClose, describedBy, children } = props
  const titleId = useId()
  return (
    <Dialog
      open
      fullWidth
      maxWidth={width}
      className="modal"
      aria-labelledby={titleId}
      aria-describedby={describedBy}
      {...(onClose && { onClose })}
    >
      <DialogTitle id={titleId}>{title}</DialogTitle>
      {children}
      <Announcer />
    </Dialog>
  )
}
