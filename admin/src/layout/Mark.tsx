import type { SvgIconComponent } from '@mui/icons-material'

interface MarkProps {
  readonly tone: 'ok' | 'warn' | 'error' | 'plain'
  readonly icon: SvgIconComponent
  readonly children: string
}

/** A state: its word, its sign and its colour, so that none has to be seen for the others. */
export function Mark({ tone, icon: Icon, children }: MarkProps) {
  return (
    <span className="mark" data-tone={tone}>
      <Icon fontSize="inherit" aria-hidden />
      {children}
    </span>
  )
}
