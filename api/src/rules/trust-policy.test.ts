import { expect, test } from 'vitest'
import { misfitOf, repositoryIds, type TrustedPipeline } from './trust-policy.ts'

const ANY: TrustedPipeline = {
  repository: null,
  repository_id: null,
  repository_owner_id: null,
  branch: null,
  environment: null,
  subject: null,
}
const github = (ref: string, more: object = {}) => ({
  sub: 'repo:Ada/Home:ref:refs/heads/main',
  repository: 'Ada/Home',
  ref,
  ref_type: 'branch',
  ...more,
})
const gitlab = (ref: string, more: object = {}) => ({
  sub: 'project_path:ada/home:ref_type:branch:ref:main',
  project_path: 'ada/home',
  ref,
  ref_type: 'branch',
  ...more,
})

test.each([
  [{ repository: 'ada/home' }, github('refs/heads/main'), undefined],
  [
    { repository: 'ada/home' },
    github('refs/heads/main', { repository: 'ada/homes' }),
    'repository',
  ],
  [{ repository: 'ada/home', branch: 'main' }, github('refs/heads/main'), undefined],
  [{ repository: 'ada/home', branch: 'main' }, github('refs/heads/dev'), 'branch'],
  [{ repository: 'ada/home', branch: 'a/b' }, github('refs/heads/a/b'), undefined],
  [
    { repository: 'ada/home', branch: 'main' },
    github('refs/tags/main', { ref_type: 'tag' }),
    'branch',
  ],
  [{ repository: 'ada/home', branch: '7/merge' }, github('refs/pull/7/merge'), 'branch'],
  [{ repository: 'ada/home', branch: 'refs/pull/7/merge' }, github('refs/pull/7/merge'), 'branch'],
  [{ repository: 'ada/home', branch: 'main' }, gitlab('main'), undefined],
  [{ repository: 'ada/home', branch: 'main' }, gitlab('refs/heads/main'), 'branch'],
  [{ repository: 'ada/home', branch: 'main' }, gitlab('main', { ref_type: 'tag' }), 'branch'],
  [
    { repository: 'ada/home', branch: 'main' },
    gitlab('main', { ref_path: 'refs/heads/main' }),
    undefined,
  ],
  // A merge request from a branch that has the name of the trusted branch.
  [
    { repository: 'ada/home', branch: 'main' },
    gitlab('main', { ref_path: 'refs/merge-requests/7/head' }),
    'branch',
  ],
  [{ repository: 'ada/home', branch: 'main' }, gitlab('main', { ref_path: null }), 'branch'],
  [
    { repository: 'ada/home', environment: 'live' },
    gitlab('main', { environment: 'live' }),
    undefined,
  ],
  [{ repository: 'ada/home', environment: 'live' }, gitlab('main'), 'environment'],
  [
    { repository: 'ada/home', environment: 'live' },
    gitlab('main', { environment: ['live'] }),
    'environment',
  ],
  [{ repository: 'ada/home' }, { sub: 'x' }, 'repository'],
  // The owner of a GitLab project cannot pass for a GitHub repository with an additional claim.
  [
    { repository: 'ada/home' },
    gitlab('main', { project_path: 'eve/x', repository: 'ada/home' }),
    'repository',
  ],
  [
    { repository_id: '74' },
    github('refs/heads/main', { repository: 'ada/renamed', repository_id: '74' }),
    undefined,
  ],
  [
    { repository: 'ada/home', repository_id: '74' },
    github('refs/heads/main', { repository_id: '75' }),
    'repository_id',
  ],
  [{ repository: 'ada/home', repository_id: '74' }, github('refs/heads/main'), 'repository_id'],
  [
    { repository: 'ada/home', repository_owner_id: '65' },
    github('refs/heads/main', { repository_id: '74', repository_owner_id: '66' }),
    'repository_owner_id',
  ],
  [{ repository_id: '74' }, gitlab('main', { project_id: '74' }), undefined],
  [{ repository_id: '74' }, gitlab('main', { project_id: 74 }), undefined],
  [{ repository_owner_id: '65' }, gitlab('main', { namespace_id: '65' }), undefined],
  // An additional id does not help either.
  [
    { repository_id: '74' },
    gitlab('main', { project_id: '1', repository_id: '74' }),
    'repository_id',
  ],
  [{ repository_id: '74' }, gitlab('main', { project_id: ['74'] }), 'repository_id'],
  [{ repository_id: '' }, gitlab('main', { project_id: '' }), 'repository_id'],
  [{ subject: 'job:7' }, { sub: 'job:7' }, undefined],
  [{ subject: 'job:7' }, { sub: 'job:70' }, 'subject'],
  [{ subject: 'job:7' }, {}, 'subject'],
])('%j, %j: %s', (policy, claims, misfit) => {
  expect(misfitOf({ ...ANY, ...policy }, claims)).toBe(misfit)
})

test.each([
  // From the first use on, a repository is identified by its ids.
  [
    { repository: 'ada/home' },
    github('refs/heads/main', { repository_id: '74', repository_owner_id: '65' }),
    ['74', '65'],
  ],
  [
    { repository: 'ada/home' },
    gitlab('main', { project_id: '74', namespace_id: 65 }),
    ['74', '65'],
  ],
  [{ repository: 'ada/home' }, github('refs/heads/main'), [null, null]],
  [
    { repository: 'ada/home', repository_id: '7' },
    gitlab('main', { project_id: '74' }),
    ['7', null],
  ],
  // The owner of a project chooses its subject and ids.
  [{ subject: 'job:7' }, gitlab('main', { project_id: '74' }), [null, null]],
  [{ repository_id: '74' }, gitlab('main', { project_id: '74', namespace_id: '6' }), ['74', null]],
])('the ids of %j by %j are %j', (policy, claims, [id, owner]) => {
  expect(repositoryIds({ ...ANY, ...policy }, claims)).toEqual({
    repository_id: id,
    repository_owner_id: owner,
  })
})
