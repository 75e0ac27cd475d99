/**
 * The signed-in user, as this browser remembers them. The session is a cookie that scripts cannot
 * read. Storage holds the word `session`, the user, and the time of the last check by the service.
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

/** Why the session ended. The sign-in screen shows the reason. */
export type SessionEnd = 'expired' | 'logged-out' | { readonly deletionDueAt: string }

interface SessionState {
  readonly user: StoredUser | undefined
  readonly ended: SessionEnd | undefined
  /** The account was to be deleted, and the sign-in cancelled that. */
  readonly isDeletionCancelled?: boolean
}

/** When the service does not answer, a session that was valid this recently counts as valid. */
const GRACE_MS = 300_000

function storedUser(): StoredUser | undefined {
  try {
    const user: unknown = JSON.parse(recall('local', 'user') ?? 'null')
    const isUser = typeof user === 'object' && user !== null && 'id' in user && 'username' in user
    return isUser ? (user as StoredUser) : undefined
  } catch {
    return undefined
  }
}

let state: SessionState = { user: storedUser(), ended: undefined }
const listeners = new Set<() => void>()

function change(next: SessionState): void {
  state = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** A sign-in or sign-out in one tab applies to all tabs. */
export function followOtherTabs(): void {
  addEventListener('storage', ({ key }) => {
    if (key !== 'user' && key !== null) return
    const user = storedUser()
    if (user?.id !== state.user?.id) change({ user, ended: user ? undefined : 'logged-out' })
  })
}

/** The signed-in user, outside of components. */
export const currentUser = (): StoredUser | undefined => state.user

export function useSession(): SessionState {
  return useSyncExternalStore(subscribe, () => state)
}

export function markSessionChecked(): void {
  remember('session', 'session_valid', 'true')
  remember('session', 'session_checked', String(Date.now()))
}

/** Whether the service accepted the session within the last five minutes. */
export function wasCheckedRecently(): boolean {
  return Date.now() - Number(recall('session', 'session_checked') ?? 0) < GRACE_MS
}

/** @param isDeletionCancelled whether the account was to be deleted before this sign-in */
export function beginLocalSession(user: StoredUser, isDeletionCancelled = false): void {
  remember('local', 'token', 'session')
  remember('local', 'user', JSON.stringify(user))
  markSessionChecked()
  change({ user, ended: undefined, isDeletionCancelled })
}

/** Whether the browser remembers a user. */
export const isUserKnown = (): boolean => state.user !== undefined

/** Removes the user from the browser's storage. Other tabs notice it and sign out. */
export function forgetLocalSession(): void {
  forget('local', 'token', 'user')
  forget('session', 'session_valid', 'session_checked')
}

export function endLocalSession(ended: SessionEnd): void {
  forgetLocalSession()
  if (state.user !== undefined) change({ user: undefined, ended })
}
