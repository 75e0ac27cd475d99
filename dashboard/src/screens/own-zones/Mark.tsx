import { Icon, type IconName } from '@homing/theme/parts/Icon.tsx'

interface MarkProps {
  readonly look: {
    readonly word: string
    readonly icon: IconName
    readonly tone: 'good' | 'bad' | 'warn' | 'plain'
  }
}

/** A state by icon, word and colour, so that the colour is not the only sign. */
export function Mark({ look: { word, icon, tone } }: MarkProps) {
  return (
    <span className={`own-mark own-mark-${tone}`}>
      <Icon name={icon} size={16} />
      {word}
    </span>
  )
}
