import { useEffect, useState } from 'react'
import { announce } from './Announcer.tsx'
import { copyText } from './copy-text.ts'
import { Icon } from './Icon.tsx'

const SHOWN_MS = 2_000

interface CopyButtonProps {
  readonly text: string
  /** Names the text in the button's label. */
  readonly what: string
  /** The element that shows the text. If copying is not allowed, the text is selected for the user to copy. */
  readonly shownIn: () => Element | null
}

type Outcome = 'copied' | 'selected'

const SAID: Readonly<Record<Outcome, string>> = {
  copied: 'Copied to clipboard!',
  selected: 'Selected: press Ctrl+C',
}

/** Copies a text, and confirms it only on success. */
export function CopyButton({ text, what, shownIn }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<Outcome>()
  useEffect(() => {
    if (outcome !== 'copied') return undefined
    const timer = setTimeout(setOutcome, SHOWN_MS, undefined)
    return () => clearTimeout(timer)
  }, [outcome])

  async function copy(): Promise<void> {
    const next = (await copyText(text, shownIn())) ? 'copied' : 'selected'
    setOutcome(next)
    announce(SAID[next])
  }
  return (
    <>
      <button
        type="button"
        className="icon-button copy-button"
        aria-label={`Copy ${what}`}
        title={outcome === 'copied' ? SAID.copied : 'Copy'}
        onClick={() => void copy()}
      >
        <Icon name={outcome === 'copied' ? 'check' : 'copy'} size={16} />
      </button>
      {outcome === 'selected' && <span className="copy-hint">{SAID.selected}</span>}
    </>
  )
}
