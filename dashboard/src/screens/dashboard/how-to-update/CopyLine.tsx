import { useRef } from 'react'
import { CopyButton } from '@homing/theme/parts/CopyButton.tsx'

interface CopyLineProps {
  readonly label: string
  readonly text: string
}

/** A field of the router's form, and the value to enter. */
export function CopyLine({ label, text }: CopyLineProps) {
  const shown = useRef<HTMLElement>(null)
  return (
    <div className="copy-line">
      <dt>{label}</dt>
      <dd>
        <code ref={shown} className="monospace">
          {text}
        </code>
        <CopyButton text={text} what={label.toLowerCase()} shownIn={() => shown.current} />
      </dd>
    </div>
  )
}
