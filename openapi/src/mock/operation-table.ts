/** The operations of the contract by name, and by method and path. */
import type { Operation, ReplyBodyOf } from '../operation.ts'
import { type Operations, operations, type SliceName } from '../operations/index.ts'

type KeysOfAll<T> = T extends T ? Extract<keyof T, string> : never

/** The name of an operation: `createDomain`. */
export type OperationId = KeysOfAll<Operations[SliceName]>

/** The operation with a name. */
export type OperationOf<Id extends OperationId> =
  Extract<Operations[SliceName], Readonly<Record<Id, Operation>>> extends infer Slice
    ? Id extends keyof Slice
      ? Extract<Slice[Id], Operation>
      : never
    : never

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
export function exampleOf<Id extends OperationId>(id: Id): ReplyBodyOf<OperationOf<Id>> {
  const found = TABLE.find((named) => named.id === id)
  return found?.operation.success.example as ReplyBodyOf<OperationOf<Id>>
}
