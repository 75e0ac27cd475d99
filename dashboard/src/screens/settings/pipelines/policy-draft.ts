/** A trust policy, as the user enters it in the form. */
import type { NewTrustPolicy, TrustPolicy } from '../../../api/trust-policies.ts'
import { EMPTY_SCOPE, type ScopeDraft, scopeOf } from '../api-keys/scope-draft.ts'

export type Provider = 'github' | 'gitlab' | 'other'

export interface PolicyDraft extends ScopeDraft {
  readonly provider: Provider
  readonly name: string
  /** Used for GitLab and for other issuers; GitHub has one. */
  readonly issuer: string
  readonly repository: string
  readonly repositoryId: string
  readonly ownerId: string
  readonly branch: string
  readonly environment: string
  readonly subject: string
}

const NO_POLICY_NAME = 'Please enter a name for the trust policy'
const GITHUB_ISSUER = 'https://token.actions.githubusercontent.com'
const GITLAB_ISSUER = 'https://gitlab.com'

export const EMPTY_POLICY: PolicyDraft = {
  ...EMPTY_SCOPE,
  provider: 'github',
  name: '',
  issuer: GITHUB_ISSUER,
  repository: '',
  repositoryId: '',
  ownerId: '',
  branch: 'main',
  environment: '',
  subject: '',
}

/** What changes when the user chooses another provider. */
export function changeToProvider(provider: Provider): Partial<PolicyDraft> {
  const issuers = { github: GITHUB_ISSUER, gitlab: GITLAB_ISSUER, other: '' }
  return { provider, issuer: issuers[provider], branch: provider === 'other' ? '' : 'main' }
}

/** The provider of a policy, which decides which workflow fits it. */
export function providerOf({ issuer, repository, repository_id: id }: TrustPolicy): Provider {
  if (issuer === GITHUB_ISSUER) return 'github'
  const isGitLab = new URL(issuer).hostname.split('.').includes('gitlab')
  return isGitLab && (repository !== null || id !== null) ? 'gitlab' : 'other'
}

/** Why the policy cannot be created yet; undefined if it can. */
export function missingIn({ provider, name, repository, subject, issuer }: PolicyDraft) {
  if (name.trim() === '') return NO_POLICY_NAME
  if (provider === 'other') {
    if (issuer.trim() === '') return 'Please enter the issuer of the tokens'
    return subject.trim() === '' ? 'Please enter the subject of the tokens' : undefined
  }
  return repository.trim() === '' ? 'Please enter the repository' : undefined
}

/** Whether every run of the repository is trusted. */
export const isAnyRun = ({ provider, branch, environment }: PolicyDraft): boolean =>
  provider !== 'other' && branch.trim() === '' && environment.trim() === ''

const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim())

export function policyBodyOf(draft: PolicyDraft): NewTrustPolicy {
  const { provider, name, issuer } = draft
  const pipeline =
    provider === 'other'
      ? { subject: orNull(draft.subject) }
      : {
          repository: orNull(draft.repository),
          repository_id: orNull(draft.repositoryId),
          repository_owner_id: orNull(draft.ownerId),
          branch: orNull(draft.branch),
          environment: orNull(draft.environment),
        }
  return { name: name.trim(), issuer: issuer.trim(), ...pipeline, scope: scopeOf(draft) }
}
