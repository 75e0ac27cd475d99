import { copyText } from '@homing/theme/parts/copy-text.ts'

const SHOWN_MS = 2_000

/** Shows the button that copies the visitor's address. */
export function offerCopy(): void {
  const button = document.querySelector<HTMLButtonElement>('#copy-address')
  const shown = document.querySelector('#own-address')
  const status = document.querySelector('#copy-status')
  if (button === null || shown === null || status === null) return
  button.hidden = false
  button.addEventListener('click', () => {
    void copyText(shown.textContent, shown).then((isCopied) => {
      status.textContent = isCopied ? 'Copied to clipboard!' : 'Selected: press Ctrl+C'
      if (isCopied) setTimeout(() => (status.textContent = ''), SHOWN_MS)
    })
  })
}
