/** A key, as the user enters it in the form. */
import type { ApiKey, ApiKeyChange, NewApiKey } from '../../../api/api-keys.ts'
import { EMPTY_SCOPE, type ScopeDraft, scopeDraftOf, scopeOf } from './scope-draft.ts'

/** Days from now, a day that the user chooses, or never. */
export type Expiry = '30' | '90' | '365' | 'date' | 'never'

export interface KeyDraft extends ScopeDraft {
  readonly name: string
  readonly expiry: Expiry
  /** For the choice `date`: `2027-02-20`. */
  readonly lastDay: string
  /** Days without use; empty for a key that does not need to be used. */
  readonly unusedDays: string
}

export const NAME_LIMIT = 50
const NO_NAME = 'Please enter a name for the API key'
const DAY_MS = 86_400_000

export const EMPTY_KEY: KeyDraft = {
  ...EMPTY_SCOPE,
  name: '',
  expiry: '90',
  lastDay: '',
  unusedDays: '',
}

/** The day of an instant in the user's time zone, as date fields have it. */
export function dayOf(time: Date): string {
  const two = (number: number) => String(number).padStart(2, '0')
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`
}

export const keyDraftOf = (apiKey: ApiKey): KeyDraft => ({
  ...scopeDraftOf(apiKey.scope),
  name: apiKey.name,
  expiry: apiKey.expires_at === null ? 'never' : 'date',
  lastDay: apiKey.expires_at === null ? '' : dayOf(new Date(apiKey.expires_at)),
  unusedDays: String(apiKey.unused_days ?? ''),
})

/**
 * When a key of this draft expires. A chosen day is included.
 *
 * @returns null for never, and for a day that is not complete yet
 */
export function endOf({ expiry, lastDay }: KeyDraft, nowMs: number): string | null {
  if (expiry === 'never') return null
  if (expiry !== 'date') return new Date(nowMs + Number(expiry) * DAY_MS).toISOString()
  const end = new Date(`${lastDay}T23:59:59`)
  return Number.isNaN(end.getTime()) ? null : end.toISOString()
}

/** What the user must correct before the service can check the rest. */
export function faultsInKey(draft: KeyDraft): {
  readonly name?: string
  readonly lastDay?: string
} {
  return {
    ...(draft.name.trim() === '' && { name: NO_NAME }),
    ...(draft.expiry === 'date' && draft.lastDay === '' && { lastDay: 'Choose a day.' }),
  }
}

/** @param former the key that is edited. If its day is unchanged, so is the time. */
export function bodyOf(draft: KeyDraft, nowMs: number, former?: ApiKey): Required<NewApiKey> {
  const formerEnd = former?.expires_at ?? null
  const isSameDay =
    draft.expiry === 'date' && formerEnd !== null && dayOf(new Date(formerEnd)) === draft.lastDay
  return {
    name: draft.name.trim(),
    scope: scopeOf(draft),
    expires_at: isSameDay ? formerEnd : endOf(draft, nowMs),
    unused_days: draft.unusedDays === '' ? null : Number(draft.unusedDays),
  }
}

/** The fields of a key that a draft changes; empty if it changes nothing. */
export function changeOf(draft: KeyDraft, nowMs: number, former: ApiKey): ApiKeyChange {
  const body = bodyOf(draft, nowMs, former)
  const before = bodyOf(keyDraftOf(former), nowMs, former)
  const isChanged = (name: keyof ApiKeyChange) =>
    JSON.stringify(body[name]) !== JSON.stringify(before[name])
  return {
    ...(isChanged('name') && { name: body.name }),
    ...(isChanged('scope') && { scope: scopeOf(draft) }),
    ...(isChanged('expires_at') && { expires_at: body.expires_at }),
    ...(isChanged('unused_days') && { unused_days: body.unused_days }),
  }
}
