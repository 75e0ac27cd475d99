import { bigint, bytea, nullable, text, textOf, timestamptz } from './columns.ts'
import { belongsTo, columnOf, ownedBy, table, type TableQuery } from './table.ts'
import { User } from './user.ts'

/** The purpose of a link. A link for one purpose is refused for another. */
export type LinkPurpose =
  | 'verify_email'
  | 'reset_password'
  | 'change_email_old'
  | 'change_email_new'

/** Links sent by mail, each usable once. */
export class MailLink extends table('mail_links', {
  id: bigint,
  user_id: bigint,
  purpose: textOf<LinkPurpose>(),
  /** The address to which it was sent. */
  email: text,
  /** SHA-256. */
  token_digest: bytea,
  created_at: timestamptz,
  expires_at: timestamptz,
  used_at: nullable(timestamptz),
}) {
  declare account?: User
  static override readonly relationMappings = { account: belongsTo(User, 'mail_links.user_id') }

  static override readonly modifiers = {
    ownedBy,

    unused(query: TableQuery<MailLink>): void {
      query.whereNull(columnOf(query, 'used_at'))
    },

    /** Links that are still valid at a time. */
    usable(query: TableQuery<MailLink>, at: Date): void {
      query.modify('unused').where(columnOf(query, 'expires_at'), '>', at)
    },
  }
}
