/**
 * Invalid bodies for every operation, enumerated from the contract: each gets a problem document and never a 5xx, and
 * nothing changes. Invalid parameters and paths are in `bad-parameters.test.ts`, hostile values in every field in
 * `hostile-input.test.ts`.
 */
import * as contract from '@homing/openapi'
import type { TObject, TSchema } from 'typebox'
import { describe, expect, test } from 'vitest'
import { problemOf } from '../support/calls.ts'
import type { ListedOperation } from '../support/contract-table.ts'
import { expectRefusal, operations, pathOf, sampleOf, useContractCalls } from './contract-calls.ts'

const t = useContractCalls()
const withBody = operations.filter(({ body }) => body !== undefined)

/** The schema of a body: the component that the operation refers to. */
function fieldsOf({ body }: ListedOperation): Readonly<Record<string, TSchema>> {
  const { $ref } = body as { $ref?: string }
  const component = contract.components.find(({ $id }) => `${$id}#` === $ref) as TObject | undefined
  if (component === undefined) throw new Error('a body is a named component')
  return component.properties
}

describe.each(withBody)('$method $url', (operation) => {
  const fields = Object.keys(fieldsOf(operation))
  const sample = sampleOf(operation)

  test.each([
    ['', 'malformed-request'],
    ['{', 'malformed-request'],
    ['{"a":1,}', 'malformed-request'],
    [`{'a':1}`, 'malformed-request'],
    ['{"a":NaN}', 'malformed-request'],
    ['\ufeff', 'malformed-request'],
    ['{"__proto__":{"admin":true}}', 'malformed-request'],
    ['{"constructor":{"prototype":{"admin":true}}}', 'malformed-request'],
    ['null', 'validation-failed'],
    ['[]', 'validation-failed'],
    ['"text"', 'validation-failed'],
    ['7', 'validation-failed'],
    [`${'['.repeat(20_000)}${']'.repeat(20_000)}`, 'validation-failed'],
  ])('the body %.40s', async (body, code) => {
    await t.changesNothing(async () => {
      const reply = await t.send(operation, body)
      expectRefusal(reply)
      expect(problemOf(reply).code).toBe(code)
    })
  })

  test('octets that are not UTF-8', async () => {
    const reply = await t.world.app.inject({
      method: operation.method,
      url: pathOf(operation),
      headers: { ...t.admin.headers, 'content-type': 'application/json' },
      payload: Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
    })
    expect(reply.json()).toMatchObject({
      status: 400,
      detail: 'The body is not valid UTF-8. Encode it as UTF-8.',
    })
  })

  test('more than its limit', async () => {
    const { bodyLimitBytes = 100 * 1024 } = operation
    const reply = await t.send(operation, { [fields[0] ?? 'a']: 'x'.repeat(bodyLimitBytes) })
    expect(problemOf(reply)).toMatchObject({ status: 413, code: 'body-too-large' })
  })

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'application/jsonp',
    'x',
  ])('as %s', async (type) => {
    await t.changesNothing(async () => {
      const reply = await t.send(operation, JSON.stringify(sample), { 'content-type': type })
      expect(problemOf(reply)).toMatchObject({ status: 415, code: 'unsupported-media-type' })
    })
  })

  test('an unknown field is named', async () => {
    await t.changesNothing(async () => {
      const reply = await t.send(operation, { ...sample, is_admin: true })
      const problem = problemOf(reply)
      expect(problem.status).toBe(422)
      expect(problem.errors).toEqual([expect.objectContaining({ field: 'is_admin' })])
    })
  })

  test.each([{ a: 1 }, [1], 7.25, true])('%j has the type of no field', async (value) => {
    for (const [field, schema] of Object.entries(fieldsOf(operation))) {
      if (typeof value === (schema as { type?: string }).type) continue
      await t.changesNothing(async () => {
        const reply = await t.send(operation, { ...sample, [field]: value })
        expect(reply.status).toBe(422)
        const [fault] = problemOf(reply).errors ?? []
        expect(fault?.field.split('.')[0]).toBe(field)
      })
    }
  })
})
