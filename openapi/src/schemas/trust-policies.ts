import { Type, type Static } from 'typebox'
import { Id, nullable, record, ref, Time } from '../schema.ts'
import { KeyScope, NewKeyScope } from './api-keys.ts'

const text = (maxLength: number, description: string) =>
  nullable(Type.String({ minLength: 1, maxLength, description }))

const pipeline = {
  repository: text(
    300,
    '`owner/name` at GitHub, the path of a project at GitLab; in any case of letters.',
  ),
  repository_id: text(
    64,
    'The id of the repository (`repository_id` at GitHub, `project_id` at GitLab). When it is not given, it becomes that of the first pipeline that fits: whoever gets the name later does not get the trust.',
  ),
  repository_owner_id: text(
    64,
    'The id of its owner (`repository_owner_id` at GitHub, `namespace_id` at GitLab); as the former.',
  ),
  branch: text(300, 'The branch that it runs for. Null: any, tags and requests to merge too.'),
  environment: text(300, 'The environment that it deploys to. Null: any, or none.'),
  subject: text(1000, 'The claim `sub`, whole: for issuers that speak of no repositories.'),
}

const name = Type.String({ maxLength: 200, description: '1 to 50 characters.' })
const issuer = Type.String({
  maxLength: 500,
  description: 'The claim `iss`: a URL below which `.well-known/openid-configuration` lies.',
  examples: ['https://token.actions.githubusercontent.com'],
})

export const NewTrustPolicy = record('NewTrustPolicy', {
  name,
  issuer,
  repository: Type.Optional(pipeline.repository),
  repository_id: Type.Optional(pipeline.repository_id),
  repository_owner_id: Type.Optional(pipeline.repository_owner_id),
  branch: Type.Optional(pipeline.branch),
  environment: Type.Optional(pipeline.environment),
  subject: Type.Optional(pipeline.subject),
  scope: Type.Optional(ref(NewKeyScope)),
})
export type NewTrustPolicy = Static<typeof NewTrustPolicy>

export const TrustPolicy = record('TrustPolicy', {
  id: Id,
  name: Type.String(),
  issuer,
  audience: Type.String({ description: 'What the token has to be made for: its claim `aud`.' }),
  ...pipeline,
  scope: ref(KeyScope),
  created_at: Time,
  last_used_at: nullable(Time),
  last_used_ip: nullable(Type.String({ description: 'Where a token was last exchanged.' })),
  last_subject: nullable(Type.String({ description: 'Whose it was: its claim `sub`.' })),
})
export type TrustPolicy = Static<typeof TrustPolicy>

export const TokenExchange = record('TokenExchange', {
  token: Type.String({
    minLength: 1,
    maxLength: 16_384,
    description: 'The token of the pipeline.',
  }),
})
export type TokenExchange = Static<typeof TokenExchange>

export const ExchangedKey = record('ExchangedKey', {
  key: Type.String({ description: 'A key for 15 minutes.' }),
  expires_at: Time,
  scope: ref(KeyScope),
})
export type ExchangedKey = Static<typeof ExchangedKey>
