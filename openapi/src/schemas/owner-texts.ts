/** What the owner of a domain decides and writes about it. */
import { Type } from 'typebox'
import { nullable } from '../schema.ts'
import { DOMAIN_TEXT_LIMITS } from '../vocabulary.ts'

export const OWNER_TEXTS = {
  paused: Type.Boolean({
    description:
      'Whether you paused the domain. DNS does not serve a paused domain. It stores the addresses of updates, and stays registered.',
  }),
  note: nullable(
    Type.String({
      maxLength: DOMAIN_TEXT_LIMITS.note,
      description: 'Your note about the domain. It can have several lines. Null: no note.',
      examples: ['Router in the attic'],
    }),
  ),
  tags: Type.Array(
    Type.String({ minLength: 1, maxLength: DOMAIN_TEXT_LIMITS.tag, examples: ['office'] }),
    {
      maxItems: DOMAIN_TEXT_LIMITS.tags,
      description:
        'Your tags of the domain, without commas and colons. Upper and lower case are the same.',
      examples: [['office', 'camera']],
    },
  ),
}
