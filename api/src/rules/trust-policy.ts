/** Which pipelines a trust policy means, by what their issuer says of them. */

/** What a policy asks for; null asks for nothing. */
export interface TrustedPipeline {
  /** `owner/name` at GitHub, the path of a project at GitLab. */
  readonly repository: string | null
  /** Of the repository: a name can be somebody else's one day. */
  readonly repository_id: string | null
  /** Of whoever the repository belongs to. */
  readonly repository_owner_id: string | null
  readonly branch: string | null
  readonly environment: string | null
  /** The claim `sub`, whole: for issuers that speak of no repositories. */
  readonly subject: string | null
}

export type Misfit = keyof TrustedPipeline

/** As GitLab and GitHub call them. */
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
 * The branch that a pipeline runs for; undefined for a tag, or a request to merge. GitHub writes `refs/heads/main`, and
 * `refs/pull/7/merge` for requests, both as a branch; GitLab writes `main`, and may have a branch called `refs/heads/main`.
 * A pipeline of a request to merge has the branch of the requester there, who may call it `main`; the whole path of the ref,
 * which GitLab adds since 16.0, tells.
 */
function branchOf(claims: Claims): string | undefined {
  const ref = textOf(claims, 'ref')
  if (claims['ref_type'] !== 'branch' || ref === undefined) return undefined
  if ('project_path' in claims) {
    return 'ref_path' in claims && claims['ref_path'] !== `refs/heads/${ref}` ? undefined : ref
  }
  return ref.startsWith('refs/heads/') ? ref.slice('refs/heads/'.length) : undefined
}

/** An id, which issuers write as a text or as a number. */
function idOf(claims: Claims, ...names: readonly string[]): string | undefined {
  const value = names.map((name) => claims[name]).find((each) => each !== undefined)
  const id = typeof value === 'number' ? String(value) : value
  return typeof id === 'string' && /^[\x21-\x7e]{1,64}$/.test(id) ? id : undefined
}

/** What says for ever which repository a pipeline is of, where its issuer tells. */
export interface RepositoryIds {
  readonly repository_id: string | null
  readonly repository_owner_id: string | null
}

/**
 * The ids by which a policy knows its repository from now on: its own, and where it has none and names a repository,
 * those of this pipeline, which fits. Claims were verified before.
 */
export function repositoryIds(policy: TrustedPipeline, claims: Claims): RepositoryIds {
  const isNamed = policy.repository !== null
  const found = (...names: string[]) => (isNamed ? (idOf(claims, ...names) ?? null) : null)
  return {
    repository_id: policy.repository_id ?? found(...ID_CLAIMS.repository),
    repository_owner_id: policy.repository_owner_id ?? found(...ID_CLAIMS.owner),
  }
}

/** The first thing that a pipeline is not what a policy asks for; undefined when it fits. Claims were verified before. */
export function misfitOf(policy: TrustedPipeline, claims: Claims): Misfit | undefined {
  // Repositories are found whatever the case, at either.
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
