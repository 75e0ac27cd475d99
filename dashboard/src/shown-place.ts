/**
 * The fragment that the app shows. It follows the URL, unless something on the screen holds the user there, such as unsaved
 * changes: then the browser goes back to the entry of its history that it left, so that no entry is lost.
 *
 * One listener does both. Listeners of `window` are called in the order of their registration, so a listener that a component
 * registers when the user types would be called after the screen has changed.
 */

/** Asks the user, after the browser has returned. @param repeat goes where the user wanted to go */
type Ask = (repeat: () => void) => void
/** Whether the user may go to a fragment; if not, how to ask them. */
type Hold = (hash: string) => Ask | undefined

const holds = new Set<Hold>()
const listeners = new Set<() => void>()

let shown = ''
/** The position of the shown entry in the browser's history. Each entry has its position in its state. */
let position = 0
let afterReturn: (() => void) | undefined

interface EntryState {
  readonly position?: number
}
const positionHere = () => (history.state as EntryState | null)?.position

const stateAt = (state: unknown): EntryState => ({ ...(state as EntryState | null), position })

function keepPosition(): void {
  if (positionHere() !== position) history.replaceState(stateAt(history.state), '')
}

function askBefore(hash: string): Ask | undefined {
  for (const hold of holds) {
    const ask = hold(hash)
    if (ask !== undefined) return ask
  }
  return undefined
}

/** Calls `change`, at once or when the user agrees to leave. */
function changeTo(hash: string, change: () => void): void {
  const ask = askBefore(hash)
  if (ask === undefined) change()
  else ask(change)
}

function show(): void {
  shown = location.hash
  for (const listener of listeners) listener()
}

const addEntry = (hash: string) => void (location.hash = hash)

function follow(): void {
  const here = positionHere()
  if (here === position) {
    const ask = afterReturn
    afterReturn = undefined
    show()
    ask?.()
    return
  }
  const { hash } = location
  const ask = askBefore(hash)
  if (ask === undefined) {
    afterReturn = undefined
    // An entry without a position is a new one: the user followed a link.
    position = here ?? position + 1
    keepPosition()
    show()
    return
  }
  const steps = here === undefined ? undefined : here - position
  afterReturn = () => ask(() => (steps === undefined ? addEntry(hash) : history.go(steps)))
  history.go(-(steps ?? 1))
}

/** A link to the shown fragment replaces its entry, and an entry can have the same fragment: `hashchange` is not fired. */
function keepSame(): void {
  if (location.hash !== shown) return
  position = positionHere() ?? position
  keepPosition()
}

export function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    shown = location.hash
    position = positionHere() ?? 0
    keepPosition()
    // Adding a listener again does nothing.
    addEventListener('hashchange', follow)
    addEventListener('popstate', keepSame)
  }
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The fragment that the app shows. While the browser returns, the URL has another one. */
export const shownHash = (): string => (listeners.size === 0 ? location.hash : shown)

/** @returns ends it */
export function holdPlace(hold: Hold): () => void {
  holds.add(hold)
  return () => holds.delete(hold)
}

/**
 * Changes the fragment in the current entry of the browser's history, or in a new one.
 *
 * @param state is kept with the entry of the history
 */
export function putHash(how: 'pushState' | 'replaceState', hash: string, state: unknown): void {
  changeTo(hash, () => {
    if (how === 'pushState') position += 1
    history[how](stateAt(state), '', hash)
    show()
  })
}

/** Adds an entry, as a link does. */
export function followTo(hash: string): void {
  changeTo(hash, () => addEntry(hash))
}
