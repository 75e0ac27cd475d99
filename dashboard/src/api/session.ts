/**
 * The signed-in user, as this browser remembers them. The session is a cookie that scripts cannot
 * read. Storage holds the word `session`, the user, and the time of the last check by the service.
 *
 * When the service stops accepting the session, storage forgets the user, but the screen stays: the user signs in again in
 * place. All tabs share the session. A sign-in, a sign-out and an expiry in one tab apply to the others.
 */
import { useSyncExternalStore } from 'react'
import { forget, recall, remember } from './storage.ts'

export interface StoredUser {
  readonly id: string
  readonly username: string
  readonly email: string
  readonly account_type: string
  readonly plan: string
}

/** Why the session ended. The sign-in screen shows the reason. `not-kept`: the browser refused the cookie. */
export type SessionEnd = 'expired' | 'not-kept' | 'logged-out' | { readonly deletionDueAt: string }

interface SessionState {
  readonly user: StoredUser | undefined
  readonly ended: SessionEnd | undefined
  /** The service no longer accepts the session of this user, who can sign in again in place. */
  readonly isExpired?: boolean
  /** The account was to be deleted, and the sign-in cancelled that. */
  readonly isDeletionCancelled?: boolean
}

/** How the page goes elsewhere. Forms with unsaved changes are closed before, so that the browser asks nothing. */
interface PageControls {
  /** Loads the page again, for another user. */
  readonly reload: () => void
  /** Goes to the landing page. */
  readonly leave: () => void
}

/** When the service does not answer, a session that was valid this recently counts as valid. */
const GRACE_MS = 300_000
/** Set and removed at once: tells other tabs that the user signed out. */
const SIGNED_OUT_KEY = 'signed_out'

function storedUser(): StoredUser | undefined {
  try {
    const user: unknown = JSON.parse(recall('local', 'user') ?? 'null')
    const isUser = typeof user === 'object' && user !== null && 'id' in user && 'username' in user
    return isUser ? (user as StoredUser) : undefined
  } catch {
    return undefined
  }
}

const NOBODY: SessionState = { user: undefined, ended: undefined }

let state: SessionState = { user: storedUser(), ended: undefined }
/** What this page knows about the session: from storage, from a sign-in, or from a call that the service accepted. */
let evidence: 'stored' | 'begun' | 'accepted' = 'stored'
let round = 0
let page: PageControls = { reload: () => undefined, leave: () => undefined }
const listeners = new Set<() => void>()

function change(next: SessionState): void {
  state = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The signed-in user, outside of components. */
export const currentUser = (): StoredUser | undefined => state.user

export function useSession(): SessionState {
  return useSyncExternalStore(
    subscribe,
    () => state,
    () => NOBODY,
  )
}

/** Counts the sign-ins that this page has noticed. */
export const sessionRound = (): number => round

export function markSessionChecked(): void {
  remember('session', 'session_valid', 'true')
  remember('session', 'session_checked', String(Date.now()))
}

/** Whether the service accepted the session within the last five minutes. */
export function wasCheckedRecently(): boolean {
  return Date.now() - Number(recall('session', 'session_checked') ?? 0) < GRACE_MS
}

/** Shows a signed-in user. Data of two accounts never mixes: for another user, the page loads again. */
function show(user: StoredUser, isDeletionCancelled: boolean): void {
  const isOther = state.user !== undefined && state.user.id !== user.id
  round += 1
  markSessionChecked()
  change(isOther ? NOBODY : { user, ended: undefined, isDeletionCancelled })
  if (isOther) page.reload()
}

/** @param isDeletionCancelled whether the account was to be deleted before this sign-in */
export function beginLocalSession(user: StoredUser, isDeletionCancelled = false): void {
  remember('local', 'token', 'session')
  remember('local', 'user', JSON.stringify(user))
  evidence = 'begun'
  show(user, isDeletionCancelled)
}

/** Whether the browser remembers a user. */
export const isUserKnown = (): boolean => state.user !== undefined

/** Whether the browser's storage has a user. After a logout it has none, while the tab leaves for the landing page. */
export const isUserStored = (): boolean => storedUser() !== undefined

/** The service accepted a call of this session. */
export function acceptSession(): void {
  evidence = 'accepted'
}

function clearStorage(): void {
  forget('local', 'token', 'user')
  forget('session', 'session_valid', 'session_checked')
}

/** Removes the user from the browser's storage. Other tabs notice it and leave too. */
export function forgetLocalSession(): void {
  remember('local', SIGNED_OUT_KEY, 'true')
  forget('local', SIGNED_OUT_KEY)
  clearStorage()
}

export function endLocalSession(ended: SessionEnd): void {
  if (ended === 'expired' || ended === 'not-kept') clearStorage()
  else forgetLocalSession()
  if (state.user !== undefined) change({ user: undefined, ended })
}

/**
 * The service sent this page to a browser without the cookie of a session. The user has to sign in, unless the session
 * began meanwhile: storage keeps the user until the service refuses a call.
 */
export function doubtSession(): void {
  if (state.user !== undefined) change({ user: undefined, ended: 'expired' })
}

function expire(): void {
  clearStorage()
  if (state.isExpired !== true) change({ user: state.user, ended: undefined, isExpired: true })
}

/**
 * The service refused the session of a call. The user can sign in again in place if the session worked in this page before;
 * otherwise the page goes to the sign-in screen.
 *
 * @returns whether the same user has signed in again
 */
export async function signedInAgain(): Promise<boolean> {
  const { user } = state
  if (user === undefined) return false
  if (evidence !== 'accepted' && state.isExpired !== true) {
    endLocalSession(evidence === 'begun' ? 'not-kept' : 'expired')
    return false
  }
  expire()
  return new Promise((resolve) => {
    const stop = subscribe(() => {
      if (state.isExpired === true) return
      stop()
      resolve(state.user?.id === user.id)
    })
  })
}

/** Applies what other tabs do to the session. @returns stops that */
export function followOtherTabs(controls: PageControls): () => void {
  function follow({ key, newValue }: StorageEvent): void {
    const { user } = state
    if (key === SIGNED_OUT_KEY && newValue !== null && user !== undefined) {
      change({ user: undefined, ended: 'logged-out' })
      page.leave()
    }
    if (key !== 'user' && key !== null) return
    const stored = storedUser()
    if (stored !== undefined) show(stored, false)
    else if (state.user !== undefined) expire()
  }
  page = controls
  addEventListener('storage', follow)
  return () => removeEventListener('storage', follow)
}
