/** What the user presses before the app runs. */
import { APP_READY } from '../app-ready.ts'

/**
 * Keeps the buttons that the user presses until the app is ready, and presses them then. While there is one, the document
 * has the attribute `data-pressed`. A form that a browser sent itself would put the password into the URL.
 */
export function keepPresses(): void {
  const { dataset } = document.documentElement
  const pressed = new Set<HTMLButtonElement>()

  // Enter in a field presses the button of its form, so there are only clicks.
  function keep(event: Event): void {
    const button = (event.target as Element).closest('button')
    if (button === null) return
    event.preventDefault()
    event.stopPropagation()
    pressed.add(button)
    dataset['pressed'] = ''
  }

  function press(): void {
    removeEventListener('click', keep, true)
    delete dataset['pressed']
    for (const button of pressed) button.click()
  }

  addEventListener('click', keep, true)
  // After the next rendering, which has what the user typed.
  addEventListener(APP_READY, () => setTimeout(press), { once: true })
}
