import { expect, test } from 'vitest'
import { misfitOf, type TrustedPipeline } from './trust-policy.ts'

const ANY: TrustedPipeline = { repository: null, branch: null, environment: null, subject: null }
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
  // Somebody asks for a branch of theirs to be merged, and calls it as the one that is trusted.
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
  // Who holds a project at GitLab does not become a repository of GitHub by a claim more.
  [
    { repository: 'ada/home' },
    gitlab('main', { project_path: 'eve/x', repository: 'ada/home' }),
    'repository',
  ],
  [{ subject: 'job:7' }, { sub: 'job:7' }, undefined],
  [{ subject: 'job:7' }, { sub: 'job:70' }, 'subject'],
  [{ subject: 'job:7' }, {}, 'subject'],
])('%j, %j: %s', (policy, claims, misfit) => {
  expect(misfitOf({ ...ANY, ...policy }, claims)).toBe(misfit)
})
