/** The contract itself: it is complete, and its examples are valid. */
import { components, openapiDocument, PROBLEMS } from '@homing/openapi'
import committed from '@homing/openapi/openapi.json' with { type: 'json' }
import { Ajv2020 } from 'ajv/dist/2020.js'
import ajvFormats from 'ajv-formats'
import type { TSchema } from 'typebox'
import { describe, expect, test } from 'vitest'
import { listedOperations } from '../support/contract-table.ts'

const ajv = new Ajv2020({ strict: false, allErrors: true })
ajvFormats.default(ajv)
for (const component of components) ajv.addSchema(component)

/** The errors in a value, in the validator's words. */
function faultsOf(schema: TSchema, value: unknown): string {
  const validate = ajv.compile(schema)
  validate(value)
  return ajv.errorsText(validate.errors)
}

test('the committed document matches the table of operations', () => {
  expect(committed).toEqual(JSON.parse(JSON.stringify(openapiDocument())))
})

test('every reference has a target', () => {
  const names = new Set(Object.keys(committed.components.schemas))
  const references = [...JSON.stringify(committed).matchAll(/"\$ref":"([^"]+)"/g)]
  expect(references.length).toBeGreaterThan(20)
  for (const [, target] of references) {
    expect(target).toMatch(/^#\/components\/schemas\/\w+$/)
    expect(names).toContain(target?.split('/').at(-1))
  }
})

test('no two operations share a name, or a method and URL', () => {
  const count = listedOperations.length
  expect(new Set(listedOperations.map(({ id }) => id)).size).toBe(count)
  expect(new Set(listedOperations.map(({ method, url }) => `${method} ${url}`)).size).toBe(count)
})

test('every kind of problem has an error status and a title', () => {
  for (const { status, title } of Object.values(PROBLEMS)) {
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(600)
    expect(title).toMatch(/^[A-Z].*[^.]$/)
  }
})

describe.each(listedOperations)('$id', (operation) => {
  const { method, url, success, params, body, bodyExample } = operation

  test('has a description, and one for each parameter of its path', () => {
    expect(operation.summary).toMatch(/^[A-Z]/)
    const names = [...url.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    expect(Object.keys(params?.properties ?? {})).toEqual(names)
    expect(body !== undefined).toBe(bodyExample !== undefined)
    expect(method === 'GET' && body !== undefined).toBe(false)
  })

  test('has valid examples', () => {
    expect(success.schema === undefined).toBe(success.example === undefined)
    expect(success.status === 204).toBe(success.schema === undefined)
    if (success.schema !== undefined) {
      const shown = faultsOf(success.schema, success.example)
      if (shown !== 'No errors') throw new Error(`the example of the answer: ${shown}`)
    }
    for (const [name, event] of Object.entries(success.events ?? {})) {
      const shown = faultsOf(event.schema, event.example)
      if (shown !== 'No errors') throw new Error(`the example of the event ${name}: ${shown}`)
    }
    if (body === undefined) return
    const sent = faultsOf(body, bodyExample)
    if (sent !== 'No errors') throw new Error(`the example of the request: ${sent}`)
  })
})
