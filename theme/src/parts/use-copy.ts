import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { announce } from './Announcer.tsx'
import { copyText } from './copy-text.ts'

const SHOWN_MS = 2_000

type Outcome = 'copied' | 'selected'

export const COPY_TEXTS: Readonly<Record<Outcome, string>> = {
  copied: 'Copied to clipboard!',
  selected: 'Selected: press Ctrl+C',
}

/** Copies texts, and says what came of it. A success is shown for two seconds. */
export function useCopy() {
  const [outcome, setOutcome] = useState<Outcome>()
  useEffect(() => {
    if (outcome !== 'copied') return undefined
    const timer = setTimeout(setOutcome, SHOWN_MS, undefined)
    return () => clearTimeout(timer)
  }, [outcome])

  /**
   * @param shownIn the element that shows the text. If copying is not allowed, the text is selected for the user to copy.
   * @param reveal makes the element show the text, if it does not yet
   */
  async function copy(
    text: string,
    shownIn: () => Element | null,
    reveal?: () => void,
  ): Promise<void> {
    let isCopied = await copyText(text, reveal === undefined ? shownIn() : null)
    if (!isCopied && reveal !== undefined) {
      flushSync(reveal)
      isCopied = await copyText(text, shownIn())
    }
    const next = isCopied ? 'copied' : 'selected'
    setOutcome(next)
    announce(COPY_TEXTS[next])
  }
  return { outcome, copy, forget: () => setOutcome(undefined) } as const
}
