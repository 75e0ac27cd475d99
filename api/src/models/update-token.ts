import { bigint, bytea, inet, nullable, text, timestamptz } from './columns.ts'
import { Domain } from './domain.ts'
import { belongsTo, table, type TableQuery } from './table.ts'

/** Secrets that can change the addresses of one domain at the update URLs; one for each domain. */
export class UpdateToken extends table('update_tokens', {
  id: bigint,
  domain_id: bigint,
  /** The first characters of the token, by which its owner recognises it. */
  prefix: text,
  /** SHA-256. */
  secret_digest: bytea,
  created_at: timestamptz,
  last_used_at: nullable(timestamptz),
  last_used_ip: nullable(inet),
  last_client: nullable(text),
}) {
  declare domain?: Domain
  static override readonly relationMappings = {
    domain: belongsTo(Domain, 'update_tokens.domain_id'),
  }

  static override readonly modifiers = {
    /** Tokens of an account's domains. */
    ownedBy(query: TableQuery<UpdateToken>, userId: string): void {
      query.whereExists(UpdateToken.relatedQuery('domain').where('user_id', userId))
    },
  }
}
