/** What a response to a hostile call must not contain, and the figures of a run. */
import { openapiDocument, type Problem, PROBLEMS } from '@homing/openapi'
import type { Reply } from '../../support/calls.ts'
import type { ListedOperation } from '../../support/contract-table.ts'

type Responses = Readonly<Record<string, { readonly description: string }>>
type Paths = Readonly<Record<string, Readonly<Record<string, { readonly responses: Responses }>>>>

const paths = (openapiDocument() as unknown as { readonly paths: Paths }).paths

/** Problems of HTTP itself, which every URL can return; also for a body of any type where the method has no body. */
const OF_HTTP = [
  'not-found',
  'method-not-allowed',
  'url-too-long',
  'unsupported-media-type',
  'header-too-large',
]

/** Whether the document allows this response of an operation. */
function isDocumented({ url, method }: ListedOperation, status: number, code: string): boolean {
  if (OF_HTTP.includes(code)) return true
  const response = paths[url]?.[method.toLowerCase()]?.responses[String(status)]
  return response?.description.includes(`\`${code}\``) === true
}

/** Signs of internals: stack frames, files, SQL. */
const INSIDE =
  /\n\s+at |node_modules|\.ts:\d+|syntax error at|invalid input syntax|violates .* constraint|relation "/i

const PROBLEM_TYPE = 'application/problem+json; charset=utf-8'

/** The errors in a refusal. */
function problemFaults(operation: ListedOperation, { status, headers, text }: Reply): string[] {
  if (headers['content-type'] !== PROBLEM_TYPE) return [`no problem document: ${text}`]
  const { code, detail, message, requestId, ...problem } = JSON.parse(text) as Problem
  const isWhole =
    PROBLEMS[code].status === status && problem.status === status && detail === message && requestId
  return [
    ...(isWhole ? [] : [`no whole problem document: ${text}`]),
    ...(isDocumented(operation, status, code) ? [] : [`${status} ${code} is not documented`]),
  ]
}

/** The errors in a response; empty if it is valid. @param secrets what no response may contain */
export function faultsIn(
  operation: ListedOperation,
  reply: Reply,
  sent: string,
  secrets: readonly string[],
): string[] {
  const { status, text } = reply
  const faults: string[] = []
  if (status >= 500) faults.push(`${status} ${text.slice(0, 300)}`)
  if (status >= 400 && operation.access !== 'update') {
    faults.push(...problemFaults(operation, reply))
  }
  const inside = INSIDE.exec(text)?.[0]
  if (inside !== undefined && !sent.includes(inside.trim())) {
    faults.push(`tells ${JSON.stringify(inside)}`)
  }
  faults.push(
    ...secrets
      .filter((secret) => text.includes(secret))
      .map((secret) => `says a secret back: ${secret.slice(0, 60)}`),
  )
  return faults
}
