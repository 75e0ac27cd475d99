/** The credentials beside the password, in words. */
import { counted, enumeration } from '@homing/theme/formats'
import type { WorkingCredentials } from '../../api/account.ts'

const KINDS = [
  ['api_keys', 'API key'],
  ['update_tokens', 'update token'],
  ['trust_policies', 'trusted pipeline'],
  ['passkeys', 'passkey'],
] as const

/** `2 API keys`, `1 passkey`: one text for each kind of which there are any. */
export const credentialsIn = (counts: WorkingCredentials): readonly string[] =>
  KINDS.filter(([kind]) => counts[kind] > 0).map(([kind, name]) => counted(counts[kind], name))

/** `2 API keys, 1 update token and 1 passkey`; empty if all counts are 0. */
export const credentialsText = (counts: WorkingCredentials): string =>
  enumeration(credentialsIn(counts))
