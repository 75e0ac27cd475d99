import { bytea, timestamptz } from './columns.ts'
import { table } from './table.ts'

/** Pipeline tokens that were exchanged for a key. Each can be exchanged once. */
export class ExchangedToken extends table(
  'exchanged_tokens',
  { /** SHA-256 of issuer and token id. */ digest: bytea, expires_at: timestamptz },
  'digest',
) {}
