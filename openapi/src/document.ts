/** Builds the OpenAPI 3.1 document from the table of operations. Pure: the same table gives the same text. */
import { commonProblems, type Operation } from './operation.ts'
import { operations } from './operations/index.ts'
import { FieldError, Problem } from './problem.ts'
import {
  IDEMPOTENCY_KEY_HEADER,
  IDEMPOTENCY_KEY_PATTERN,
  PROBLEMS,
  type ProblemCode,
  REPLAYED_HEADER,
} from './vocabulary.ts'
import type { Component } from './schema.ts'
import * as schemas from './schemas/index.ts'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
type JsonObject = { [key: string]: Json }

/** All named components, in the order of their names. */
export const components: readonly Component[] = [
  FieldError,
  Problem,
  ...(Object.values(schemas) as Component[]),
].toSorted((a, b) => (a.$id < b.$id ? -1 : 1))

/** Converts a JSON Schema that the api validates with to its form in the document: `$id` becomes the key, `Name#` a pointer. */
function documented(value: unknown): Json {
  if (Array.isArray(value)) return value.map(documented)
  if (typeof value !== 'object' || value === null) return value as Json
  // The discriminator is for the validator of the api: without its mapping, generators of clients misread it.
  const entries = Object.entries(value).filter(([key]) => key !== '$id' && key !== 'discriminator')
  return Object.fromEntries(
    entries.map(([key, inner]) => [
      key,
      key === '$ref' && typeof inner === 'string'
        ? `#/components/schemas/${inner.replace(/#$/, '')}`
        : documented(inner),
    ]),
  )
}

const SECURITY: Record<Operation['access'], Json[]> = {
  public: [],
  session: [{ cookie: [] }, { bearer: [] }],
  caller: [{ cookie: [] }, { bearer: [] }],
  administrator: [{ cookie: [] }, { bearer: [] }],
  update: [{ basic: [] }, { bearer: [] }],
}

const IDEMPOTENCY_KEY: JsonObject = {
  name: IDEMPOTENCY_KEY_HEADER,
  in: 'header',
  required: false,
  description:
    'Makes it safe to repeat the call when its response was lost. For 24 hours, a call of your account with the same key and the same body gets the response of the first call, and changes nothing more.',
  schema: { type: 'string', pattern: IDEMPOTENCY_KEY_PATTERN },
}

/** The headers of a response, by what the operation does. */
function successHeaders({ success, idempotencyKey }: Operation): JsonObject {
  const text = (description: string) => ({ description, schema: { type: 'string' } })
  return {
    ...(success.list
      ? { 'Content-Range': text('The range of the items and their total: `domains 0-24/312`.') }
      : {}),
    ...(success.download === undefined
      ? {}
      : { 'Content-Disposition': text(`\`attachment; filename="${success.download}"\``) }),
    ...(idempotencyKey === 'replayed'
      ? { [REPLAYED_HEADER]: text('`true` when the response was stored by an earlier call.') }
      : {}),
  }
}

function parameters(operation: Operation): Json[] {
  const of = (place: 'path' | 'query', object: Operation['params']): Json[] =>
    Object.entries(object?.properties ?? {}).map(([name, schema]) => ({
      name,
      in: place,
      required: (object?.required as string[] | undefined)?.includes(name) ?? false,
      schema: documented(schema),
    }))
  const header = operation.idempotencyKey === undefined ? [] : [IDEMPOTENCY_KEY]
  return [...of('path', operation.params), ...of('query', operation.query), ...header]
}

/** OpenAPI 3.1 has no words for the events of a stream, so they are an extension. */
function documentedEvents(events: Operation['success']['events']): JsonObject {
  if (events === undefined) return {}
  return {
    'x-events': Object.fromEntries(
      Object.entries(events).map(([name, { description, schema, example }]) => [
        name,
        { description, schema: documented(schema), example: documented(example) },
      ]),
    ),
  }
}

function successResponse(operation: Operation): JsonObject {
  const { success } = operation
  const headers = successHeaders(operation)
  const { alsoAs } = success
  return {
    description: success.description,
    ...(Object.keys(headers).length > 0 ? { headers } : {}),
    ...(success.schema === undefined
      ? {}
      : {
          content: {
            [success.contentType ?? 'application/json']: {
              schema: documented(success.schema),
              ...(success.example === undefined ? {} : { example: documented(success.example) }),
              ...documentedEvents(success.events),
            },
            ...(alsoAs === undefined
              ? {}
              : {
                  [alsoAs.contentType]: { schema: { type: 'string' }, example: alsoAs.example },
                }),
          },
        }),
  }
}

function problemResponses(operation: Operation): JsonObject {
  const byStatus = new Map<number, Set<ProblemCode>>()
  for (const code of [...commonProblems(operation), ...(operation.problems ?? [])]) {
    const { status } = PROBLEMS[code]
    byStatus.set(status, (byStatus.get(status) ?? new Set()).add(code))
  }
  return Object.fromEntries(
    [...byStatus]
      .toSorted(([a], [b]) => a - b)
      .map(([status, codes]) => [
        String(status),
        {
          description: [...codes].map((code) => `\`${code}\`: ${PROBLEMS[code].title}.`).join(' '),
          content: {
            'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
          },
        },
      ]),
  )
}

/** Its form is the sender's. */
const RAW_BODY: JsonObject = {
  required: true,
  content: { 'application/json': { schema: {} } },
}

function documentedOperation(tag: string, operationId: string, operation: Operation): JsonObject {
  const given = parameters(operation)
  return {
    operationId,
    tags: [tag],
    summary: operation.summary,
    ...(operation.description === undefined ? {} : { description: operation.description }),
    security: SECURITY[operation.access],
    ...(operation.permission === undefined ? {} : { 'x-permission': operation.permission }),
    ...(operation.keyAction === undefined
      ? {}
      : { 'x-key-action': documented(operation.keyAction) }),
    ...(operation.stepUp === undefined ? {} : { 'x-step-up': operation.stepUp }),
    ...(operation.idempotent === true ? { 'x-idempotent': true } : {}),
    ...(operation.idempotencyKey === undefined
      ? {}
      : { 'x-idempotency-key': operation.idempotencyKey }),
    ...(operation.bodyLimitBytes === undefined
      ? {}
      : { 'x-body-limit-bytes': operation.bodyLimitBytes }),
    ...(given.length === 0 ? {} : { parameters: given }),
    ...(operation.rawBody === undefined ? {} : { requestBody: RAW_BODY }),
    ...(operation.body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: documented(operation.body),
                ...(operation.bodyExample === undefined
                  ? {}
                  : { example: documented(operation.bodyExample) }),
              },
            },
          },
        }),
    responses: {
      [String(operation.success.status)]: successResponse(operation),
      ...(operation.access === 'update' ? {} : problemResponses(operation)),
    },
  }
}

/** The whole document. */
export function openapiDocument(): JsonObject {
  const paths: { [url: string]: JsonObject } = {}
  for (const [tag, slice] of Object.entries(operations)) {
    for (const [id, operation] of Object.entries(slice as Record<string, Operation>)) {
      const path = (paths[operation.url] ??= {})
      path[operation.method.toLowerCase()] = documentedOperation(tag, id, operation)
    }
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Homing',
      version: '1',
      description: 'Dynamic DNS: register domains and keep their addresses up to date.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: Object.keys(operations).map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        cookie: { type: 'apiKey', in: 'cookie', name: 'homing_session' },
        bearer: { type: 'http', scheme: 'bearer' },
        basic: { type: 'http', scheme: 'basic' },
      },
      schemas: Object.fromEntries(components.map((schema) => [schema.$id, documented(schema)])),
    },
  }
}
