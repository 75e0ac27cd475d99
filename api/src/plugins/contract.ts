/**
 * Binds the contract to Fastify: validates with the schemas of the contract, and registers the
 * handlers of each slice under the URLs of the operation table.
 */
import {
  components,
  type Operation,
  operations,
  type Operations,
  type SliceName,
} from '@homing/openapi'
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
  RouteOptions,
} from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import type { Services } from '../compose.ts'
import type { Answer, AnswerBodyOf, Call } from './call.ts'
import { requireHost } from './host-check.ts'
import { answerOnce } from './idempotency-key.ts'
import { parseJsonStrictly } from './json-body.ts'
import { requestSourceOf } from '../caller/request-source.ts'
import { countApart } from '../limits/open-connections.ts'
import { requireKnownQuery } from './known-query.ts'
import { requirePlainInput } from './plain-input.ts'
import { routeOfOctets } from './raw-body.ts'
import { serializerOf } from './serializers.ts'
import { validatorOf } from './validators.ts'

export type HandlersOf<Name extends SliceName> = {
  readonly [Id in keyof Operations[Name]]: Operations[Name][Id] extends infer O extends Operation
    ? (call: Call<O>) => Promise<Answer<AnswerBodyOf<O>>>
    : never
}

/** The handlers of a slice, for `app.implement`. */
export interface ImplementedSlice {
  readonly name: SliceName
  readonly handlers: Readonly<Record<string, (call: never) => Promise<Answer<unknown>>>>
}

/** Names a slice and its handlers; a missing or misspelt operation does not compile. */
export function handlersFor<Name extends SliceName>(
  name: Name,
  handlers: HandlersOf<Name>,
): ImplementedSlice {
  return { name, handlers }
}

declare module 'fastify' {
  interface FastifyInstance {
    implement(slice: ImplementedSlice, services: Services): void
  }
  interface FastifyContextConfig {
    operationId?: string
    operation?: Operation
  }
}

/** Whether the response is JSON that the contract's serializer writes; a download writes its own text. */
const isJson = ({ success }: Operation) =>
  success.contentType === undefined && success.download === undefined

function fastifySchema(operation: Operation): FastifySchema {
  return {
    ...(operation.params ? { params: operation.params } : {}),
    ...(operation.query ? { querystring: operation.query } : {}),
    ...(operation.body ? { body: operation.body } : {}),
    ...(operation.success.schema && isJson(operation)
      ? { response: { [operation.success.status]: operation.success.schema } }
      : {}),
  }
}

/** `/api/domains/{id}` → `/api/domains/:id`. */
export const routeUrl = (url: string) => url.replaceAll(/\{(\w+)\}/g, ':$1')

/** A stream stays open for hours, so its connection counts neither as one of its network's nor as one to use again. */
function startEventStream(request: FastifyRequest, reply: FastifyReply): void {
  countApart(request.raw.socket)
  void reply.type('text/event-stream').header('connection', 'close')
  // A proxy must pass on each event at once.
  void reply.header('x-accel-buffering', 'no')
}

function implement(this: FastifyInstance, slice: ImplementedSlice, services: Services): void {
  const table: Readonly<Record<string, Operation>> = operations[slice.name]
  for (const [operationId, operation] of Object.entries(table)) {
    const handler = slice.handlers[operationId] as unknown as (
      call: Call<Operation>,
    ) => Promise<Answer<unknown>>
    const route: RouteOptions = {
      method: operation.method,
      url: routeUrl(operation.url),
      schema: fastifySchema(operation),
      ...(operation.bodyLimitBytes && { bodyLimit: operation.bodyLimitBytes }),
      config: { operationId, operation },
      onRequest: requireHost,
      // Runs before schema validation, whose errors would repeat the invalid text. Path parameters need
      // no check: they are only looked up.
      async preValidation(request) {
        if (operation.access === 'update') return
        requireKnownQuery(operation, request.query)
        requirePlainInput(request.query, 'query')
        // Signed octets are verified by their handler.
        if (operation.rawBody === undefined) requirePlainInput(request.body, 'body')
      },
      async handler(request, reply) {
        const call = {
          params: request.params,
          query: request.query,
          body: request.body,
          principal: request.principal,
          services,
          source: requestSourceOf(request),
          request,
          reply,
        } as Call<Operation>
        // HEAD comes with GET, and must not open a stream that nobody reads.
        if (operation.success.events !== undefined && request.method === 'HEAD') {
          return reply.type('text/event-stream').header('cache-control', 'no-store').send()
        }
        const answer = await answerOnce(call, operation, operationId, handler)
        // The handler has already sent its own response.
        if (reply.sent) return reply
        void reply.code(answer.status ?? operation.success.status)
        // The response depends on the caller, so caches must not keep it.
        void reply.header('cache-control', 'no-store')
        if (answer.headers) void reply.headers(answer.headers)
        if (operation.success.download !== undefined) {
          const { download, contentType: usual = 'application/json' } = operation.success
          const { name = download, contentType = usual } = answer.file ?? {}
          void reply.type(`${contentType}; charset=utf-8`)
          void reply.header('content-disposition', `attachment; filename="${name}"`)
        }
        if (operation.success.contentType === 'text/plain') {
          void reply.type('text/plain; charset=utf-8')
        }
        if (operation.success.events !== undefined) startEventStream(request, reply)
        return reply.send(answer.body)
      },
    }
    if (operation.rawBody === true) routeOfOctets(this, route)
    else this.route(route)
  }
}

export const contract = fastifyPlugin(
  (app: FastifyInstance, _options: object, done: () => void) => {
    for (const component of components) app.addSchema(component)
    app.setValidatorCompiler(({ schema, httpPart }) => validatorOf(schema as object, httpPart))
    app.setSerializerCompiler(({ schema }) => serializerOf(schema as object))
    parseJsonStrictly(app)
    app.decorate('implement', implement)
    done()
  },
  { name: 'contract', dependencies: ['problem'] },
)
