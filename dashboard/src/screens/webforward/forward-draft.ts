/** A web forward, as the user enters it in the form. */
import { forwardedUrl, withWebScheme } from '@homing/openapi/web-forward'
import {
  FORWARD_TEXT_LIMITS,
  type NewWebForward,
  type WebForward,
  type WebForwardChange,
} from '../../api/web-forwards.ts'

export { FORWARD_TEXT_LIMITS }

type Settings = Required<Omit<WebForwardChange, 'domain_id'>>

export interface ForwardDraft extends Omit<Settings, 'title' | 'description' | 'keywords'> {
  /** Empty until the user has chosen a domain. */
  readonly domain_id: string
  readonly title: string
  readonly description: string
  readonly keywords: string
}

/** A new forward has the defaults of the service. */
export const newDraft = (domainId: string): ForwardDraft => ({
  domain_id: domainId,
  target_url: '',
  forwarding_type: 'redirect',
  status_code: 301,
  title: '',
  description: '',
  keywords: '',
  forward_path: true,
  forward_query: true,
  is_active: true,
})

export const draftOf = (forward: WebForward): ForwardDraft => ({
  domain_id: forward.domain_id,
  target_url: forward.target_url,
  forwarding_type: forward.forwarding_type,
  status_code: forward.status_code,
  title: forward.title ?? '',
  description: forward.description ?? '',
  keywords: forward.keywords ?? '',
  forward_path: forward.forward_path,
  forward_query: forward.forward_query,
  is_active: forward.is_active,
})

/** What the draft says to the service. The texts belong to stealth forwards only. */
export function bodyOf(draft: ForwardDraft): NewWebForward & Settings {
  const isStealth = draft.forwarding_type === 'stealth'
  const textOf = (text: string) => (isStealth && text.trim() !== '' ? text.trim() : null)
  return {
    ...draft,
    target_url: draft.target_url.trim(),
    title: textOf(draft.title),
    description: textOf(draft.description),
    keywords: textOf(draft.keywords),
  }
}

/** The fields of a forward that a draft changes; empty if it changes nothing. */
export function changeOf(draft: ForwardDraft, former: WebForward): WebForwardChange {
  const [next, before] = [bodyOf(draft), bodyOf(draftOf(former))]
  const names = Object.keys(next) as (keyof typeof next)[]
  return Object.fromEntries(
    names.filter((name) => next[name] !== before[name]).map((name) => [name, next[name]]),
  )
}

/** What the user must do before the form can be sent. */
export function missingIn({ domain_id, target_url }: ForwardDraft): string | undefined {
  if (domain_id === '') return 'Choose a domain.'
  return target_url.trim() === '' ? 'Enter a target URL.' : undefined
}

/** Requests that show what happens to their path and query. */
export const SAMPLES = [
  { path: '/', query: '' },
  { path: '/blog/first', query: '?page=2' },
] as const

/** The URL that the target means, as the service stores it; undefined while the text is not a URL. */
function targetOf(text: string): string | undefined {
  const url = withWebScheme(text.trim())
  return url !== undefined && URL.canParse(url) ? new URL(url).href : undefined
}

/** Where the forward sends each sample; undefined while the target is not a URL. */
export function locationsOf(draft: ForwardDraft): readonly string[] | undefined {
  const target = targetOf(draft.target_url)
  if (target === undefined) return undefined
  const { forward_path: path, forward_query: query } = draft
  return SAMPLES.map((sample) => forwardedUrl({ target, path, query }, sample))
}
