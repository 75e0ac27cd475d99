/** Every place of a call that can hold a value: fields of bodies at any depth, parameters of paths and queries. */
import { components } from '@homing/openapi'
import type { TSchema } from 'typebox'
import type { ListedOperation } from '../../support/contract-table.ts'
import type { MatrixCall } from '../matrix/call-url.ts'

export interface Place {
  readonly operation: ListedOperation
  readonly part: 'body' | 'params' | 'query'
  /** From the outside to the inside; `0` is the first item of a list. */
  readonly path: readonly string[]
}

/** The parts of JSON Schema that the contract uses. */
interface Schema {
  readonly $ref?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
}

const DEPTH_LIMIT = 6

function resolved(schema: Schema): Schema {
  if (schema.$ref === undefined) return schema
  const component = components.find(({ $id }) => `${$id}#` === schema.$ref)
  if (component === undefined) throw new Error(`no component ${schema.$ref}`)
  return component as Schema
}

/** Paths of all values in a schema, without its own. */
function pathsIn(schema: Schema, depth = 0): string[][] {
  if (depth > DEPTH_LIMIT) return []
  const { properties = {}, items, anyOf = [], oneOf = [] } = resolved(schema)
  const inner = Object.entries(properties).flatMap(([name, each]) => [
    [name],
    ...pathsIn(each, depth + 1).map((path) => [name, ...path]),
  ])
  const inItems = items ? [['0'], ...pathsIn(items, depth + 1).map((path) => ['0', ...path])] : []
  const inForms = [...anyOf, ...oneOf].flatMap((form) => pathsIn(form, depth))
  const all = [...inner, ...inItems, ...inForms]
  return [...new Map(all.map((path) => [path.join('.'), path])).values()]
}

export function placesOf(operation: ListedOperation): Place[] {
  const part = (name: Place['part'], schema: TSchema | undefined): Place[] =>
    schema === undefined
      ? []
      : pathsIn(schema as Schema).map((path) => ({ operation, part: name, path }))
  const { body, params, query } = operation
  return [...part('body', body), ...part('params', params), ...part('query', query)]
}

export const placeName = ({ operation, part, path }: Place) =>
  `${operation.id} ${part}.${path.join('.')}`

/** A value with another one at a path inside it; missing objects on the way are created. */
function withValue(whole: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value
  if (/^\d+$/.test(name)) {
    const list: readonly unknown[] = Array.isArray(whole) ? (whole as unknown[]) : []
    return [withValue(list[0], rest, value), ...list.slice(1)]
  }
  const object = typeof whole === 'object' && whole !== null ? whole : {}
  const inner = (object as Record<string, unknown>)[name]
  return { ...object, [name]: withValue(inner, rest, value) }
}

const asText = (value: unknown) =>
  typeof value === 'string' ? value.toWellFormed() : JSON.stringify(value)

/** A call with a value in a place. Paths and queries hold only texts. */
export function callWith(call: MatrixCall, { part, path }: Place, value: unknown): MatrixCall {
  if (part === 'body') return { ...call, body: withValue(call.body, path, value) }
  return { ...call, [part]: { ...call[part], [path[0] ?? '']: asText(value) } }
}
