import { useEffect, useState } from 'react'
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

function storedDraft(): Draft {
  try {
    const stored = JSON.parse(recall('session', KEY) ?? '{}') as Partial<Record<string, unknown>>
    const entries = Object.keys(EMPTY).map((name) => [name, stored[name] ?? ''] as const)
    return Object.fromEntries(entries.filter(([, text]) => typeof text === 'string')) as never
  } catch {
    return EMPTY
  }
}

export const forgetDraft = (): void => forget('session', KEY)

/** The fields of the form, which this tab keeps over a reload. */
export function useDraft() {
  const [draft, setDraft] = useState<Draft>(() => ({ ...EMPTY, ...storedDraft() }))
  useEffect(() => remember('session', KEY, JSON.stringify(draft)), [draft])
  const change = (name: keyof Draft) => (text: string) =>
    setDraft((before) => ({ ...before, [name]: text }))
  return { draft, change }
}
