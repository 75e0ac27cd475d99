import { Icon } from './Icon.tsx'
import { COPY_TEXTS, useCopy } from './use-copy.ts'

interface CopyButtonProps {
  readonly text: string
  /** Names the text in the button's label. */
  readonly what: string
  /** The element that shows the text. If copying is not allowed, the text is selected for the user to copy. */
  readonly shownIn: () => Element | null
}

/** Copies a text, and confirms it only on success. */
export function CopyButton({ text, what, shownIn }: CopyButtonProps) {
  const { outcome, copy } = useCopy()
  return (
    <>
      <button
        type="button"
        className="icon-button copy-button"
        aria-label={`Copy ${what}`}
        title={outcome === 'copied' ? COPY_TEXTS.copied : 'Copy'}
        onClick={() => void copy(text, shownIn)}
      >
        <Icon name={outcome === 'copied' ? 'check' : 'copy'} size={16} />
      </button>
      {outcome === 'selected' && <span className="copy-hint">{COPY_TEXTS.selected}</span>}
    </>
  )
}
