/**
 * The open dialog of a screen is part of its URL: `#dashboard?dialog=update&id=42`. Reload keeps it, Back closes it, and
 * a link shows it. The URL names the dialog, the object that it is about, and the part of the dialog that the user chose, and
 * never contains a secret or typed text.
 */
import { afterPaint } from '@homing/theme/parts/after-paint.ts'
import { useCallback, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { go, hashOf, placeOf, putHash, useHash } from './routes.ts'

/** The parameters of the URL. */
const NAME = 'dialog'
const SUBJECT = 'id'
const PART = 'part'

export interface DialogInUrl<Name extends string> {
  /** Undefined if no dialog is open. */
  readonly name: Name | undefined
  /** The id of the object that the dialog is about. */
  readonly id: string | undefined
  readonly show: (name: Name, id?: string) => void
  readonly close: () => void
}

interface NamedDialog {
  readonly name?: string
  readonly id?: string
  readonly part?: string
}

/** The dialog that a fragment names. */
export function dialogAt(hash: string): NamedDialog {
  const parameters = new URLSearchParams(placeOf(hash)?.query)
  const [name, id, part] = [NAME, SUBJECT, PART].map((parameter) => parameters.get(parameter) ?? '')
  return name ? { name, ...(id && { id }), ...(part && { part }) } : {}
}

/** The parameters of the open dialog, for a URL that changes something else. */
export function dialogParameters(hash: string): Record<string, string> {
  return parametersOf(dialogAt(hash))
}

const parametersOf = ({ name, id, part }: NamedDialog): Record<string, string> => ({
  ...(name !== undefined && { [NAME]: name }),
  ...(id !== undefined && { [SUBJECT]: id }),
  ...(part !== undefined && { [PART]: part }),
})

/** The current place with another dialog, or without a dialog. */
function hashWith(dialog: NamedDialog = {}): string | undefined {
  const place = placeOf(location.hash)
  if (place === undefined) return undefined
  const parameters = new URLSearchParams(place.query)
  for (const parameter of [NAME, SUBJECT, PART]) parameters.delete(parameter)
  const rest = Object.fromEntries(parameters)
  return hashOf(place.screen, { ...rest, ...parametersOf(dialog) }, place.argument)
}

/** The state of a history entry that was added for a dialog: the entry before it is the screen without the dialog. */
const ADDED = { isDialog: true }
const wasAdded = () => (history.state as Partial<typeof ADDED> | null)?.isDialog === true

function show(name: string, id?: string): void {
  const hash = hashWith({ name, ...(id !== undefined && { id }) })
  if (hash === undefined || hash === location.hash) return
  if (dialogAt(location.hash).name === undefined) putHash('pushState', hash, ADDED)
  // One dialog follows another. Back closes it too.
  else putHash('replaceState', hash, history.state)
}

/** Removes the dialog from the URL, without an entry in the history that shows it again. */
function drop(): void {
  const hash = hashWith()
  if (hash !== undefined) go(hash, { replace: true })
}

/** Stops the way back from a closed dialog that is still in the URL. */
let stay: (() => void) | undefined
/** The URL's hash that the browser was asked to leave, going back. */
let left: string | undefined
/** Whether the browser was asked to go back, and has not done so yet. */
const isGoingBack = () => left !== undefined && left === location.hash

/**
 * Leaves the entry of the dialog once the browser has painted the screen without it: the change of the URL renders the screen
 * again, which the user would wait for. Does nothing if the user has gone elsewhere meanwhile.
 */
function goBackAfterPaint(from: string): void {
  const cancel = afterPaint(() => {
    stay = undefined
    if (location.hash !== from || !wasAdded()) return
    left = from
    addEventListener('hashchange', () => (left = undefined), { once: true })
    history.back()
  })
  stay = () => {
    cancel()
    stay = undefined
  }
}

/** Shows a dialog. One that was just closed may still be in the URL: it is replaced, or has left the URL before. */
function showNext(name: string, id?: string): void {
  if (isGoingBack()) addEventListener('hashchange', () => show(name, id), { once: true })
  else show(name, id)
}

/** Gives the focus to the heading if the element that had it before the dialog does not exist. */
function useFocusAfter(name: string | undefined): void {
  const last = useRef(name)
  useEffect(() => {
    const wasClosed = last.current !== undefined && name === undefined
    last.current = name
    if (wasClosed && document.activeElement === document.body) {
      document.querySelector<HTMLElement>('h1')?.focus()
    }
  }, [name])
}

/** The open dialog, if it is one of these. @param names a constant */
export function useDialogInUrl<Name extends string>(names: readonly Name[]): DialogInUrl<Name> {
  const hash = useHash()
  /** The fragment with a dialog that was closed. The browser goes back a moment later. */
  const [closed, setClosed] = useState<string>()
  const leaving = useRef<string>(undefined)
  useEffect(() => {
    leaving.current = undefined
    setClosed(undefined)
  }, [hash])
  const asked = dialogAt(hash)
  const name = closed === hash ? undefined : names.find((each) => each === asked.name)
  useFocusAfter(name)
  // The next screen decides about its URL.
  useEffect(() => () => stay?.(), [])

  const open = useCallback((next: Name, id?: string) => {
    stay?.()
    leaving.current = undefined
    setClosed(undefined)
    showNext(next, id)
  }, [])
  const close = useCallback(() => {
    const { hash: here } = location
    // Twice would leave the screen.
    if (dialogAt(here).name === undefined || leaving.current === here) return
    leaving.current = here
    // The dialog disappears at once. Otherwise its form could be sent again, and its guard would ask.
    flushSync(() => setClosed(here))
    if (wasAdded()) goBackAfterPaint(here)
    else drop()
  }, [])
  return { name, id: name === undefined ? undefined : asked.id, show: open, close }
}

/** The part of the open dialog that the user chose. Choosing another one adds no entry to the history. */
export function useDialogPart(): [string | undefined, (part: string) => void] {
  const { part } = dialogAt(useHash())
  const choose = useCallback((chosen: string) => {
    const hash = hashWith({ ...dialogAt(location.hash), part: chosen })
    if (hash !== undefined) putHash('replaceState', hash, history.state)
  }, [])
  return [part, choose]
}

interface ListQuery<Item> {
  readonly data?: readonly Item[] | undefined
  readonly isFetching: boolean
}

/** The object of a list that the open dialog is about. If it does not exist, the dialog leaves the URL. */
export function useSubject<Item extends { readonly id: string }>(
  { name, id }: Pick<DialogInUrl<string>, 'name' | 'id'>,
  { data, isFetching }: ListQuery<Item>,
): Item | undefined {
  const found = id === undefined ? undefined : data?.find((item) => item.id === id)
  const isMissing = name !== undefined && id !== undefined && data !== undefined && !isFetching
  useEffect(() => {
    if (isMissing && found === undefined) drop()
  }, [isMissing, found])
  return found
}
