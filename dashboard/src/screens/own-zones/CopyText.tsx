import { CopyButton } from '@homing/theme/parts/CopyButton.tsx'
import { useRef } from 'react'

interface CopyTextProps {
  readonly text: string
  /** Names the text in the button's label. */
  readonly what: string
}

/** A text in digits of equal width, with a button that copies it. */
export function CopyText({ text, what }: CopyTextProps) {
  const shown = useRef<HTMLSpanElement>(null)
  return (
    <span className="own-copy">
      <span ref={shown} className="monospace">
        {text}
      </span>
      <CopyButton text={text} what={what} shownIn={() => shown.current} />
    </span>
  )
}
