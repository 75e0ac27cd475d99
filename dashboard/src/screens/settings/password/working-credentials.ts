import type { WorkingCredentials } from '../../../api/account.ts'

/** The kinds of credentials, in the singular and in the plural. */
const KINDS: Readonly<Record<keyof WorkingCredentials, readonly [string, string]>> = {
  api_keys: ['API key', 'API keys'],
  update_tokens: ['update token', 'update tokens'],
  trust_policies: ['trusted pipeline', 'trusted pipelines'],
  passkeys: ['passkey', 'passkeys'],
}

const list = new Intl.ListFormat('en', { type: 'conjunction' })

/** `1 API key and 2 update tokens`; empty if nothing works beside the password. */
export function credentialsText(working: WorkingCredentials): string {
  const kinds = Object.keys(KINDS) as (keyof WorkingCredentials)[]
  return list.format(
    kinds
      .filter((kind) => working[kind] > 0)
      .map((kind) => `${working[kind]} ${KINDS[kind][working[kind] === 1 ? 0 : 1]}`),
  )
}
