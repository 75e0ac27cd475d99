/** What the lists of the archive of an account consist of. */
import { Type, type TProperties } from 'typebox'
import { nullable, Time } from '../schema.ts'

export const text = Type.String()
export const maybeText = nullable(text)
export const maybeTime = nullable(Time)
export const yesOrNo = Type.Boolean()

/** When and from where a credential was used last. */
export const lastUse = {
  last_used_at: maybeTime,
  last_used_ip: maybeText,
  last_client: maybeText,
}

/** Rows of one kind. */
export const rows = <P extends TProperties>(properties: P, description?: string) =>
  Type.Array(
    Type.Object(properties, { additionalProperties: false }),
    description === undefined ? {} : { description },
  )
