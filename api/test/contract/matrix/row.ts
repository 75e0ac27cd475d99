/** What a row of the route matrix says. */
import type { Access, Operations, ProblemCode, SliceName } from '@homing/openapi'
import type { Belongings } from './belongings.ts'
import type { Inherits } from './inherited-rules.ts'

export interface MatrixCall {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** Those who make calls about their own. */
export type Rightful = 'free' | 'pro' | 'elite' | 'administrator'

export interface Row {
  /** @param nonce a text that no other call has, for what must be new */
  readonly call: (its: Belongings, nonce: string) => MatrixCall
  /** What the caller gets for whom it is; the operation's own status when absent. */
  readonly answers?: number
  /** How the rules that every new kind of object inherits apply. Required of whatever is not a GET. */
  readonly inherits?: Inherits
  /** What a plan must have; `plan-required` without it. */
  readonly ability?: 'api_keys' | 'wildcard' | 'data_export'
  /** Those for whom it is whose own call is refused all the same, and how. */
  readonly refuses?: Readonly<Partial<Record<Rightful, ProblemCode>>>
  /** A public call that writes for every caller. */
  readonly writes?: true
  readonly probes?: Readonly<Record<string, Probe>>
}

/** Another call that names things, and what it does for somebody who does not have them. */
export interface Probe {
  readonly call: Row['call']
  /** A problem of its own instead of what is answered about a thing that nobody has. */
  readonly refusal?: ProblemCode
  /** It makes something of the caller's own, and nothing of the owner's is touched. */
  readonly writes?: true
}

type IdsIn<S extends SliceName, A extends Access> = {
  [Id in keyof Operations[S]]: Operations[S][Id] extends { readonly access: A } ? Id : never
}[keyof Operations[S]]
type IdsOf<A extends Access> = { [S in SliceName]: IdsIn<S, A> }[SliceName]

/** Operations with the update protocol's own credentials. */
export type UpdateId = IdsOf<'update'>
/** All others. */
export type CallId = IdsOf<Exclude<Access, 'update'>>

type OperationOf<Id> = {
  [S in SliceName]: Id extends keyof Operations[S] ? Operations[S][Id] : never
}[SliceName]
type RowFor<Id> =
  OperationOf<Id> extends { readonly method: 'GET' } ? Row : Row & { readonly inherits: Inherits }

/** The row of each operation. */
export type Rows = { readonly [Id in CallId]: RowFor<Id> }
