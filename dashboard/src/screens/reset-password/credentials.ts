/** The credentials beside the password, in words. */
import type { WorkingCredentials } from '../../api/mail-links.ts'

const KINDS = [
  ['api_keys', 'API key', 'API keys'],
  ['update_tokens', 'update token', 'update tokens'],
  ['trust_policies', 'trusted pipeline', 'trusted pipelines'],
  ['passkeys', 'passkey', 'passkeys'],
] as const

/** `2 API keys`, `1 passkey`: one text for each kind of which there are any. */
export function listed(counts: WorkingCredentials): readonly string[] {
  return KINDS.filter(([kind]) => counts[kind] > 0).map(
    ([kind, one, many]) => `${counts[kind]} ${counts[kind] === 1 ? one : many}`,
  )
}

const LIST = new Intl.ListFormat('en')

/** `2 API keys, 1 update token, and 1 passkey`; empty when there are none. */
export const listedInOneLine = (counts: WorkingCredentials): string => LIST.format(listed(counts))
