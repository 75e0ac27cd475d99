/**
 * Functions that write a response body by its schema. Each is compiled when the first response needs it: all of them
 * at the start would take half a second of processor time before the API accepts a connection. They belong to the
 * process, so that a second app in it, as tests have, compiles none again.
 */
import { components } from '@homing/openapi'
import fastJsonStringify, { type Schema } from 'fast-json-stringify'

type Serializer = (body: unknown) => string

const compiled = new Map<object, Serializer>()

function compile(schema: object): Serializer {
  // The compiler may keep what it gets; the validators use the same components.
  const named = structuredClone(components).map((component) => [component.$id, component] as const)
  return fastJsonStringify(schema as Schema, {
    schema: Object.fromEntries(named) as Record<string, Schema>,
  })
}

/** The serializer of a schema of the contract. It compiles the schema on its first call. */
export function serializerOf(schema: object): Serializer {
  return (body) => {
    let serialize = compiled.get(schema)
    if (serialize === undefined) {
      serialize = compile(schema)
      compiled.set(schema, serialize)
    }
    return serialize(body)
  }
}
