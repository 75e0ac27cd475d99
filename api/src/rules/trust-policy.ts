/** Which pipelines a trust policy matches, according to the claims of their issuer. */

/** What a policy requires; null requires nothing. */
export interface TrustedPipeline {
  /** `owner/name` at GitHub, the path of a project at GitLab. */
  readonly repository: string | null
  /** The repository's id, because its name can pass to another owner. */
  readonly repository_id: string | null
  /** Id of the repository's owner. */
  readonly repository_owner_id: string | null
  readonly branch: string | null
  readonly environment: string | null
  /** The complete claim `sub`, for issuers that do not report repositories. */
  readonly subject: string | null
}

export type Misfit = keyof TrustedPipeline

/** The claims' names at GitLab and GitHub. */
const ID_CLAIMS = {
  repository: ['project_id', 'repository_id'],
  owner: ['namespace_id', 'repository_owner_id'],
} as const

type Claims = Readonly<Record<string, unknown>>

const textOf = (claims: Claims, name: string): string | undefined => {
  const value = claims[name]
  return typeof value === 'string' ? value : undefined
}

/**
 * The branch that a pipeline runs for; undefined for a tag or a merge request. GitHub reports both branches
 * (`refs/heads/main`) and pull requests (`refs/pull/7/merge`) as branches. GitLab reports `main`, and can have a branch
 * named `refs/heads/main`. A GitLab pipeline of a merge request reports the requester's branch, which can also be named
 * `main`; the complete path of the ref, which GitLab has sent since 16.0, distinguishes them.
 */
function branchOf(claims: Claims): string | undefined {
  const ref = textOf(claims, 'ref')
  if (claims['ref_type'] !== 'branch' || ref === undefined) return undefined
  if ('project_path' in claims) {
    return 'ref_path' in claims && claims['ref_path'] !== `refs/heads/${ref}` ? undefined : ref
  }
  return ref.startsWith('refs/heads/') ? ref.slice('refs/heads/'.length) : undefined
}

/** An id. Issuers send it as a string or as a number. */
function idOf(claims: Claims, ...names: readonly string[]): string | undefined {
  const value = names.map((name) => claims[name]).find((each) => each !== undefined)
  const id = typeof value === 'number' ? String(value) : value
  return typeof id === 'string' && /^[\x21-\x7e]{1,64}$/.test(id) ? id : undefined
}

/** The permanent ids of a pipeline's repository, where its issuer reports them. */
export interface RepositoryIds {
  readonly repository_id: string | null
  readonly repository_owner_id: string | null
}

/**
 * The ids by which a policy recognises its repository from now on: its own ids, or, when it names a repository but
 * has no ids, those of this matching pipeline. The claims must be verified.
 */
export function repositoryIds(policy: TrustedPipeline, claims: Claims): RepositoryIds {
  const isNamed = policy.repository !== null
  const found = (...names: string[]) => (isNamed ? (idOf(claims, ...names) ?? null) : null)
  return {
    repository_id: policy.repository_id ?? found(...ID_CLAIMS.repository),
    repository_owner_id: policy.repository_owner_id ?? found(...ID_CLAIMS.owner),
  }
}

/**
 * The first requirement of a policy that a pipeline does not meet; undefined when it meets all. The claims must be
 * verified.
 */
export function misfitOf(policy: TrustedPipeline, claims: Claims): Misfit | undefined {
  // Both issuers ignore the case of repository names.
  const repository = (textOf(claims, 'project_path') ?? textOf(claims, 'repository'))?.toLowerCase()
  const found: Readonly<Record<Misfit, string | undefined>> = {
    repository,
    repository_id: idOf(claims, ...ID_CLAIMS.repository),
    repository_owner_id: idOf(claims, ...ID_CLAIMS.owner),
    branch: branchOf(claims),
    environment: textOf(claims, 'environment'),
    subject: textOf(claims, 'sub'),
  }
  const wanted = { ...policy, repository: policy.repository?.toLowerCase() ?? null }
  const names = Object.keys(found) as Misfit[]
  return names.find((name) => wanted[name] !== null && wanted[name] !== found[name])
}
