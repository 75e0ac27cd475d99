/** The type of a row of the route matrix. */
import type { Access, Operations, ProblemCode, SliceName } from '@homing/openapi'
import type { Belongings } from './belongings.ts'
import type { MatrixCall } from './call-url.ts'
import type { Inherits } from './inherited-rules.ts'

/** Callers that make calls about their own things. */
export type Rightful = 'free' | 'pro' | 'by cookie' | 'elite' | 'administrator'

export interface Row {
  /** @param nonce a text that no other call contains, for values that must be new */
  readonly call: (its: Belongings, nonce: string) => MatrixCall
  /** The status for a permitted caller; the operation's own status when absent. */
  readonly answers?: number
  /** How the rules that every new kind of object inherits apply. Required for every operation except GET. */
  readonly inherits?: Inherits
  /** The ability that the plan must have; without it, the response is `plan-required`. */
  readonly ability?:
    | 'api_keys'
    | 'wildcard'
    | 'web_forward'
    | 'uptime'
    | 'analytics'
    | 'data_export'
    | 'vanity_ns'
  /** Permitted callers whose own call is refused nevertheless, and the refusal. */
  readonly refuses?: Readonly<Partial<Record<Rightful, ProblemCode>>>
  /** A public call that writes for every caller. */
  readonly writes?: true
  readonly probes?: Readonly<Record<string, Probe>>
}

/** Another call that names things, and its result for an account that does not have them. */
export interface Probe {
  readonly call: Row['call']
  /** A different problem in place of the one for a thing that does not exist. */
  readonly refusal?: ProblemCode
  /** It creates something for the caller, and does not affect anything of the owner's. */
  readonly writes?: true
}

type IdsIn<S extends SliceName, A extends Access> = {
  [Id in keyof Operations[S]]: Operations[S][Id] extends { readonly access: A } ? Id : never
}[keyof Operations[S]]
type IdsOf<A extends Access> = { [S in SliceName]: IdsIn<S, A> }[SliceName]

/** Operations with the update protocol's own credentials. */
export type UpdateId = IdsOf<'update'>
/** All other operations. */
export type CallId = IdsOf<Exclude<Access, 'update'>>

type OperationOf<Id> = {
  [S in SliceName]: Id extends keyof Operations[S] ? Operations[S][Id] : never
}[SliceName]
type RowFor<Id> =
  OperationOf<Id> extends { readonly method: 'GET' } ? Row : Row & { readonly inherits: Inherits }

/** The row of each operation. */
export type Rows = { readonly [Id in CallId]: RowFor<Id> }
