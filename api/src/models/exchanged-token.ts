import { bytea, timestamptz } from './columns.ts'
import { table } from './table.ts'

/** Tokens of pipelines that were exchanged for a key: each is exchanged once. */
export class ExchangedToken extends table(
  'exchanged_tokens',
  { /** SHA-256 of issuer and token id. */ digest: bytea, expires_at: timestamptz },
  'digest',
) {}
