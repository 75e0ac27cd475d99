import { SCREEN_PATHS } from '@homing/openapi/vocabulary'
import { describe, expect, test } from 'vitest'
import { guarded, hashOf, hashOfPath, placeOf, type Visitor } from './routes.ts'
import { SCREENS } from './screens.tsx'

describe('placeOf', () => {
  test.each([
    ['', undefined],
    ['#', undefined],
    ['#nowhere', undefined],
    ['#constructor', undefined],
    ['#login', 'login'],
    ['#/dashboard', 'dashboard'],
    ['#dashboard/section', 'dashboard'],
    ['#dashboard?q=nas', 'dashboard'],
  ])('%j is %s', (hash, screen) => {
    expect(placeOf(hash)?.screen).toBe(screen)
  })

  test('reads what hashOf writes', () => {
    const parameters = { q: 'a&b=c #1', sort: '-fqdn' }
    const place = placeOf(hashOf('dashboard', parameters))
    expect(Object.fromEntries(new URLSearchParams(place?.query))).toEqual(parameters)
  })
})

test.each([
  ['/login', '', '#login'],
  ['/login', '?next=dashboard', '#login?next=dashboard'],
  ['/dashboard/', '', '#dashboard/'],
  ['/nowhere', '', undefined],
])('the path %s%s is the fragment %s', (path, search, hash) => {
  expect(hashOfPath(path, search)).toBe(hash)
})

test('every screen has a path, which the service answers with the app', () => {
  const names = SCREEN_PATHS.map((path) => path.split('/')[1])
  expect(Object.keys(SCREENS).filter((screen) => !names.includes(screen))).toEqual([])
})

describe('guarded', () => {
  test.each<[string, Visitor, string]>([
    // [requested fragment, visitor, destination]
    ['', 'nobody', '#login'],
    ['#login', 'nobody', '#login'],
    ['#dashboard', 'nobody', '#login?next=dashboard'],
    ['#dashboard?q=nas&page=2', 'nobody', '#login?next=dashboard%3Fq%3Dnas%26page%3D2'],
    ['#nowhere', 'nobody', '/'],
    ['', 'user', '#dashboard'],
    ['#nowhere', 'user', '#dashboard'],
    ['', 'admin', '/admin/'],
    ['#admin', 'admin', '/admin/'],
    ['#admin', 'user', '#dashboard'],
    ['#dashboard', 'admin', '#dashboard'],
    ['#login?next=dashboard', 'admin', '#dashboard'],
    ['#login', 'user', '#dashboard'],
    ['#dashboard?page=2', 'user', '#dashboard?page=2'],
    ['#login?next=dashboard%3Fq%3Dnas%26page%3D2', 'user', '#dashboard?q=nas&page=2'],
    ['#login?next=https%3A%2F%2Felsewhere.example', 'user', '#dashboard'],
    ['#login?next=login%3Fnext%3Dlogin', 'user', '#dashboard'],
  ])('%j, %s → %s', (hash, visitor, expected) => {
    expect(guarded(hash, visitor)).toBe(expected)
  })
})
