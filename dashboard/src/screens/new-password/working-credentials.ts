/** The credentials beside the password, in words. */
import { enumeration } from '@homing/theme/formats'
import type { WorkingCredentials } from '../../api/account.ts'

const KINDS = [
  ['api_keys', 'API key', 'API keys'],
  ['update_tokens', 'update token', 'update tokens'],
  ['trust_policies', 'trusted pipeline', 'trusted pipelines'],
  ['passkeys', 'passkey', 'passkeys'],
] as const

/** `2 API keys`, `1 passkey`: one text for each kind of which there are any. */
export const credentialsIn = (counts: WorkingCredentials): readonly string[] =>
  KINDS.filter(([kind]) => counts[kind] > 0).map(
    ([kind, one, many]) => `${counts[kind]} ${counts[kind] === 1 ? one : many}`,
  )

/** `2 API keys, 1 update token and 1 passkey`; empty when there are none. */
export const credentialsText = (counts: WorkingCredentials): string =>
  enumeration(credentialsIn(counts))
