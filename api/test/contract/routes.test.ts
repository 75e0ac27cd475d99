/** The routes of the real app, compared with the contract. */
import { type ChannelListener, subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { FastifyInstance } from 'fastify'
import { METHODS as HTTP_METHODS } from 'node:http'
import { SCREEN_PATHS } from '@homing/openapi/vocabulary'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiWorld, openApiWorld } from '../support/api-world.ts'
import { listedOperations } from '../support/contract-table.ts'

/** Routes outside the contract; `*` is every method that HTTP servers know. */
const HIDDEN = [
  '* /u',
  '* /u/*',
  '* /update/*',
  'GET /',
  'GET /.well-known/security.txt',
  'GET /admin',
  'GET /admin/*',
  'GET /admin/assets/*',
  'GET /admin/favicon.svg',
  'GET /api/docs',
  'GET /api/docs/json',
  'GET /api/docs/static/*',
  'GET /api/docs/static/index.html',
  'GET /api/docs/static/swagger-initializer.js',
  'GET /api/docs/static/theme/homing.css',
  'GET /api/docs/yaml',
  'GET /api/openapi.json',
  'GET /assets/*',
  'GET /dev/mailbox',
  'GET /dev/mailbox/{file}',
  'GET /favicon.svg',
  'GET /metrics',
  'GET /pricing',
  'GET /privacy',
  'GET /terms',
  ...SCREEN_PATHS.map((path) => `GET ${path.replaceAll(/:(\w+)/g, '{$1}')}`),
].toSorted()

/** Every method that HTTP servers know; CONNECT reaches no route. */
const METHODS = HTTP_METHODS.filter((method) => method !== 'CONNECT')

interface Served {
  readonly method: string
  /** In the form of the contract. */
  readonly url: string
  readonly operationId: string | undefined
}

let world: ApiWorld
const served: Served[] = []

/** Records every route of an app that is created meanwhile. */
const listen: ChannelListener = (message) => {
  const { fastify } = message as { fastify: FastifyInstance }
  fastify.addHook('onRoute', ({ method, url, config }) => {
    for (const each of [method].flat()) {
      served.push({
        method: each,
        url: url.replaceAll(/:(\w+)/g, '{$1}'),
        operationId: config?.operationId,
      })
    }
  })
}

beforeAll(async () => {
  subscribe('fastify.initialization', listen)
  world = await openApiWorld()
  unsubscribe('fastify.initialization', listen)
})
afterAll(() => world.end())

const line = ({ method, url }: { method: string; url: string }) => `${method} ${url}`

test('every operation of the contract is served, under its name', () => {
  const expected = listedOperations.map((operation) => `${line(operation)} ${operation.id}`)
  const actual = served
    .filter(({ operationId, method }) => operationId !== undefined && method !== 'HEAD')
    .map((route) => `${line(route)} ${route.operationId}`)
  expect(actual.toSorted()).toEqual(expected.toSorted())
})

test('only the listed routes are served in addition', () => {
  const urls = new Set(listedOperations.map(({ url }) => url))
  const others = served.filter(({ operationId }) => operationId === undefined)
  const besides = Map.groupBy(
    others.filter(({ url }) => !urls.has(url)),
    ({ url }) => url,
  )
  const lines = [...besides].flatMap(([url, routes]) => {
    const methods = new Set(routes.map(({ method }) => method))
    if (METHODS.every((method) => methods.has(method))) return [`* ${url}`]
    return [...methods].filter((method) => method !== 'HEAD').map((method) => `${method} ${url}`)
  })
  expect(lines.toSorted()).toEqual(HIDDEN)
})

test('a method that a URL does not support gets 405 with the supported ones', async () => {
  const urls = new Set(listedOperations.map(({ url }) => url))
  for (const url of urls) {
    const methods = listedOperations.filter((each) => each.url === url).map((each) => each.method)
    const allow = new Set<string>(methods)
    if (allow.has('GET')) allow.add('HEAD')
    const path = url.replaceAll(/\{\w+\}/g, '1')
    for (const method of METHODS) {
      if (allow.has(method)) continue
      const reply = await world.app.inject({ method: method as 'GET', url: path })
      expect(`${method} ${url} ${reply.statusCode}`).toBe(`${method} ${url} 405`)
      const allowed = String(reply.headers['allow']).split(', ')
      expect(new Set(allowed)).toEqual(allow)
    }
  }
})

test('the body of such a call is not read', async () => {
  const reply = await world.app.inject({
    method: 'PROPFIND' as 'GET',
    url: '/api/domains',
    headers: { 'content-type': 'application/xml' },
    payload: '<propfind/>',
  })
  expect(reply.statusCode).toBe(405)
  expect(reply.json()).toMatchObject({ code: 'method-not-allowed' })
})

test('the served document equals the contract', async () => {
  const reply = await world.app.inject('/api/openapi.json')
  const document = reply.json<{ paths: Record<string, Record<string, unknown>> }>()
  const documented = Object.entries(document.paths).flatMap(([url, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${url}`),
  )
  expect(documented.toSorted()).toEqual(listedOperations.map(line).toSorted())
})
