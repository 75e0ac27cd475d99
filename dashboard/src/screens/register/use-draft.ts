import { useEffect, useState } from 'react'
import { rememberRegistered } from '../../api/sign-up.ts'
import { forget, recall, remember } from '../../api/storage.ts'

/** What the user typed, except for the password. */
export interface Draft {
  readonly given_name: string
  readonly surname: string
  readonly username: string
  readonly email: string
}

const KEY = 'registration'
const EMPTY: Draft = { given_name: '', surname: '', username: '', email: '' }

function parsedDraft(json: string): Draft {
  try {
    const stored = JSON.parse(json) as Partial<Record<string, unknown>>
    const entries = Object.keys(EMPTY).map((name) => [name, stored[name] ?? ''] as const)
    return Object.fromEntries(entries.filter(([, text]) => typeof text === 'string')) as never
  } catch {
    return EMPTY
  }
}

export const forgetDraft = (): void => forget('session', KEY)

/**
 * The fields of the form, which this tab keeps over a reload.
 *
 * @param former what was typed for the account that is corrected; undefined for a new account
 */
export function useDraft(former: string | undefined) {
  const isNew = former === undefined
  const [draft, setDraft] = useState<Draft>(() =>
    parsedDraft(former ?? recall('session', KEY) ?? '{}'),
  )
  useEffect(() => {
    const json = JSON.stringify(draft)
    if (isNew) remember('session', KEY, json)
    else rememberRegistered(json)
  }, [draft, isNew])
  const change = (name: keyof Draft) => (text: string) =>
    setDraft((before) => ({ ...before, [name]: text }))
  return { draft, change }
}
