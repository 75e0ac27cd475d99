/** The operations of the contract by name, and by method and path. */
import type { Operation } from '../operation.ts'
import { operations } from '../operations/index.ts'
import type { operations as GeneratedOperations } from '../types.gen.ts'

/** The name of an operation: `createDomain`. */
export type OperationId = Extract<keyof GeneratedOperations, string>

/** The value of a field that only some operations have; `never` if the operation does not have it. */
type Field<T, Key extends string> = Key extends keyof T ? NonNullable<T[Key]> : never

/** The body of a request or a response; undefined if it has none. */
type Content<T> = T extends { readonly content: infer C } ? C[keyof C] : undefined

type SuccessStatus = 200 | 201 | 202 | 204

/**
 * What an operation accepts and returns, by the generated types. The types of the schemas say the same, but
 * comparing them takes the compiler seconds.
 */
export interface OperationTypes<Id extends OperationId> {
  readonly params: Field<GeneratedOperations[Id]['parameters'], 'path'>
  readonly query: Field<GeneratedOperations[Id]['parameters'], 'query'>
  readonly body: Content<Field<GeneratedOperations[Id], 'requestBody'>>
  readonly reply: Content<
    GeneratedOperations[Id]['responses'][Extract<
      keyof GeneratedOperations[Id]['responses'],
      SuccessStatus
    >]
  >
}

export interface NamedOperation {
  readonly id: OperationId
  readonly operation: Operation
}

const TABLE: readonly NamedOperation[] = Object.values(operations).flatMap((slice) =>
  Object.entries(slice as Readonly<Record<string, Operation>>).map(([id, operation]) => ({
    id: id as OperationId,
    operation,
  })),
)

interface Found extends NamedOperation {
  /** The values of the parameters in the URL, decoded. */
  readonly params: Readonly<Record<string, string>>
}

/** `/api/domains/{id}` matched against a path; undefined if it does not match. */
function paramsOf(url: string, path: string): Record<string, string> | undefined {
  const [wanted, given] = [url.split('/'), path.split('/')]
  if (wanted.length !== given.length) return undefined
  const params: Record<string, string> = {}
  for (const [at, part] of wanted.entries()) {
    const name = /^\{(\w+)\}$/.exec(part)?.[1]
    const text = given[at] ?? ''
    if (name !== undefined) params[name] = decodeURIComponent(text)
    else if (part !== text) return undefined
  }
  return params
}

/** The operation that handles a request. A URL without parameters takes precedence over one with parameters, as in the API's router. */
export function findOperation(method: string, path: string): Found | undefined {
  const found = TABLE.filter(({ operation }) => operation.method === method).flatMap((named) => {
    const params = paramsOf(named.operation.url, path)
    return params === undefined ? [] : [{ ...named, params }]
  })
  return found.toSorted((a, b) => Object.keys(a.params).length - Object.keys(b.params).length)[0]
}

/** The example response of an operation. */
export function exampleOf<Id extends OperationId>(id: Id): OperationTypes<Id>['reply'] {
  const found = TABLE.find((named) => named.id === id)
  return found?.operation.success.example as OperationTypes<Id>['reply']
}
