/** Trusted pipelines as this program shows them. */
import type { components } from '@homing/openapi/client'
import { scopeText } from './keys.ts'
import type { Listing } from './output.ts'
import { ago, printable } from './text.ts'

type TrustPolicy = components['schemas']['TrustPolicy']

export const TRUST_FIELDS = [
  'id',
  'name',
  'issuer',
  'audience',
  'repository',
  'repository_id',
  'repository_owner_id',
  'branch',
  'environment',
  'subject',
  'scope',
  'created_at',
  'last_used_at',
  'last_used_ip',
  'last_subject',
] as const satisfies readonly (keyof TrustPolicy)[]

/** Short names of well-known issuers. */
const ISSUERS: Readonly<Record<string, string>> = {
  github: 'https://token.actions.githubusercontent.com',
  gitlab: 'https://gitlab.com',
}

export const issuerOf = (text: string): string => ISSUERS[text.toLowerCase()] ?? text

/** The pipelines of a policy, in a few words. */
function pipelineText(policy: TrustPolicy): string {
  const { repository, repository_id: repositoryId, subject, branch, environment } = policy
  const parts = [
    repository ?? repositoryId ?? subject ?? '',
    ...(branch === null ? [] : [`branch ${branch}`]),
    ...(environment === null ? [] : [`environment ${environment}`]),
  ]
  return printable(parts.join(', '))
}

export const trustListing: Listing<TrustPolicy> = {
  columns: [
    { title: 'ID', of: ({ id }) => id },
    { title: 'NAME', of: ({ name }) => printable(name) },
    { title: 'PIPELINE', of: pipelineText },
    { title: 'SCOPE', of: ({ scope }) => scopeText(scope), dropFirst: 1 },
    {
      title: 'LAST USED',
      of: ({ last_used_at }) => (last_used_at === null ? 'never' : ago(last_used_at, Date.now())),
    },
  ],
  fields: ({ id, name, issuer, repository, branch, last_used_at }) => [
    id,
    name,
    issuer,
    repository,
    branch,
    last_used_at,
  ],
}
