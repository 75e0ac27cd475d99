import { Type, type Static } from 'typebox'
import { Id, nullable, record, ref, Time } from '../schema.ts'
import { KeyScope, NewKeyScope } from './api-keys.ts'

const text = (maxLength: number, description: string) =>
  nullable(Type.String({ minLength: 1, maxLength, description }))

const pipeline = {
  repository: text(
    300,
    '`owner/name` at GitHub, the path of the project at GitLab. Not case-sensitive.',
  ),
  repository_id: text(
    64,
    'The id of the repository (`repository_id` at GitHub, `project_id` at GitLab). If absent, it is set to the id of the first pipeline that matches: a later repository with the same name is not trusted.',
  ),
  repository_owner_id: text(
    64,
    'The id of the owner (`repository_owner_id` at GitHub, `namespace_id` at GitLab). If absent, it is set as `repository_id` is.',
  ),
  branch: text(300, 'The branch of the pipeline. Null: any branch, also tags and merge requests.'),
  environment: text(
    300,
    'The environment of the deployment. Null: any environment, or no environment.',
  ),
  subject: text(1000, 'The exact claim `sub`, for issuers that do not name repositories.'),
}

const name = Type.String({ maxLength: 200, description: '1 to 50 characters.' })
const issuer = Type.String({
  maxLength: 500,
  description: 'The claim `iss`: a URL that serves `.well-known/openid-configuration` below it.',
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
  audience: Type.String({ description: 'The required audience of the token: its claim `aud`.' }),
  ...pipeline,
  scope: ref(KeyScope),
  created_at: Time,
  last_used_at: nullable(Time),
  last_used_ip: nullable(Type.String({ description: 'The IP address of the last exchange.' })),
  last_subject: nullable(
    Type.String({ description: 'The claim `sub` of the last exchanged token.' }),
  ),
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
  key: Type.String({ description: 'An API key that works for 15 minutes.' }),
  expires_at: Time,
  scope: ref(KeyScope),
})
export type ExchangedKey = Static<typeof ExchangedKey>
