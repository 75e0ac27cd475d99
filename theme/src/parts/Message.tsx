/** A message in the page: an error or a note, with optional actions. */
import type { ReactNode, Ref } from 'react'
import { Icon } from './Icon.tsx'

interface MessageProps {
  readonly tone: 'error' | 'info' | 'success' | 'warn'
  readonly children: ReactNode
  readonly id?: string
  /** Buttons. */
  readonly action?: ReactNode
  readonly ref?: Ref<HTMLDivElement>
}

export function Message({ tone, children, id, action, ref }: MessageProps) {
  return (
    <div
      ref={ref}
      id={id}
      className={`message message-${tone}`}
      role={tone === 'info' || tone === 'success' ? 'status' : 'alert'}
    >
      <Icon name={tone === 'success' ? 'success' : 'failure'} />
      <div className="message-text">{children}</div>
      {action}
    </div>
  )
}
