import { Type, type Static } from 'typebox'
import { Id, nullable, record, Time } from '../schema.ts'

export const NewApiKey = record('NewApiKey', {
  name: Type.String({
    maxLength: 200,
    description: '1 to 50 characters; spaces around it are dropped.',
    examples: ['router'],
  }),
})
export type NewApiKey = Static<typeof NewApiKey>

const known = {
  id: Id,
  name: Type.String(),
  prefix: Type.String({ description: 'How the key begins, to know it again.' }),
  created_at: Time,
  last_used_at: nullable(Time),
}

export const ApiKey = record('ApiKey', known, 'A key, without what makes it secret.')
export type ApiKey = Static<typeof ApiKey>

export const CreatedApiKey = record('CreatedApiKey', {
  ...known,
  key: Type.String({ description: 'The key itself. It is shown this once.' }),
})
export type CreatedApiKey = Static<typeof CreatedApiKey>
