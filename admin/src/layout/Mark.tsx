import type { SvgIconComponent } from '@mui/icons-material'

export interface MarkProps {
  readonly tone: 'ok' | 'warn' | 'error' | 'plain'
  readonly icon: SvgIconComponent
  readonly children: string
}

/** A state, shown by text, icon and colour, so that the colour is not the only sign. */
export function Mark({ tone, icon: Icon, children }: MarkProps) {
  return (
    <span className="mark" data-tone={tone}>
      <Icon fontSize="inherit" aria-hidden />
      {children}
    </span>
  )
}
