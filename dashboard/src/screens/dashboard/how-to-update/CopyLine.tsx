import { useRef } from 'react'
import { CopyButton } from '../../../components/CopyButton.tsx'

interface CopyLineProps {
  readonly label: string
  readonly text: string
}

/** What a form of the router asks for, and what goes into it. */
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
