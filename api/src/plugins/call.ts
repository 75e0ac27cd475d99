/** What the handler of an operation takes and returns. */
import type { BodyOf, Operation, ParamsOf, QueryOf, ReplyBodyOf } from '@homing/openapi'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Readable } from 'node:stream'
import type { PrincipalOf } from '../caller/principal.ts'
import type { RequestSource } from '../caller/request-source.ts'
import type { Services } from '../compose.ts'

/** One call of operation O, parsed and validated. */
export interface Call<O extends Operation> {
  readonly params: ParamsOf<O>
  readonly query: QueryOf<O>
  readonly body: BodyOf<O>
  readonly principal: PrincipalOf<O['access']>
  readonly services: Services
  readonly source: RequestSource
  /** For handlers that need cookies or headers. */
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** What a handler returns: the body, or a stream for a download or for events. */
export type AnswerBodyOf<O extends Operation> = O['success'] extends
  | { readonly download: string }
  | { readonly events: object }
  ? Readable
  : ReplyBodyOf<O>

/** A response: the body, and a status where it differs from the operation's own. */
export interface Answer<Body> {
  readonly body: Body
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Of a download: its name and type, where they differ from the operation's own. */
  readonly file?: { readonly name: string; readonly contentType: string }
}
