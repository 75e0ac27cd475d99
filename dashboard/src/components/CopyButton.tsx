import { useEffect, useState } from 'react'
import { announce } from './Announcer.tsx'
import { copyText } from './copy-text.ts'
import { Icon } from './Icon.tsx'
import { notify } from './Notices.tsx'

const SHOWN_MS = 2_000

interface CopyButtonProps {
  readonly text: string
  /** What it is, for the button's name. */
  readonly what: string
  /** The element that shows the text: where copying is not allowed, it is selected for the person to copy. */
  readonly shownIn: () => Element | null
}

/** Copies a text, and says so only when it did. */
export function CopyButton({ text, what, shownIn }: CopyButtonProps) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return undefined
    const timer = setTimeout(setCopied, SHOWN_MS, false)
    return () => clearTimeout(timer)
  }, [isCopied])

  async function copy(): Promise<void> {
    if (await copyText(text, shownIn())) {
      setCopied(true)
      announce('Copied to clipboard!')
    } else {
      notify({
        kind: 'failure',
        text: 'The browser does not let this page copy. It is selected: press Ctrl+C.',
      })
    }
  }
  return (
    <button
      type="button"
      className="icon-button copy-button"
      aria-label={`Copy ${what}`}
      onClick={() => void copy()}
    >
      <Icon name={isCopied ? 'check' : 'copy'} size={16} />
    </button>
  )
}
