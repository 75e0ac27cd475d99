/** Helpers that build schemas. A schema is plain JSON Schema (2020-12), typed by TypeBox. */
import {
  Type,
  type Static,
  type TObject,
  type TProperties,
  type TSchema,
  type TUnion,
} from 'typebox'

/** A named component: `$id` is its name in the document. */
export type Component = TSchema & { $id: string }

/** An object with exactly these fields; any other field is rejected by name (docs/design.md "Identity"). */
export function record<P extends TProperties, const Id extends string>(
  $id: Id,
  properties: P,
  description?: string,
): TObject<P> & { $id: Id } {
  const options = { $id, additionalProperties: false, ...(description ? { description } : {}) }
  return Type.Object(properties, options) as unknown as TObject<P> & { $id: Id }
}

/** A body that has one of several forms, distinguished by their fields. */
export function oneOf<S extends TSchema[], const Id extends string>(
  $id: Id,
  forms: [...S],
  description: string,
): TUnion<S> & { $id: Id } {
  return Type.Union(forms, { $id, description }) as unknown as TUnion<S> & { $id: Id }
}

/** A reference to a named component, with its type. */
export function ref<S extends Component>(component: S) {
  return Type.Unsafe<Static<S>>({ $ref: `${component.$id}#` })
}

/** A value that may also be null. JSON `null` is not the same as an absent field. */
export function nullable<S extends TSchema & { type: string }>(schema: S) {
  return Type.Unsafe<Static<S> | null>({ ...schema, type: [schema.type, 'null'] })
}

/** An id in JSON: a positive whole number as a string, so that clients do not lose digits. */
export const Id = Type.String({
  pattern: '^[1-9][0-9]{0,17}$',
  description: 'A positive whole number.',
  examples: ['42'],
})

/** A time in UTC, ISO 8601. */
export const Time = Type.String({ format: 'date-time', examples: ['2026-05-12T08:30:00.000Z'] })
