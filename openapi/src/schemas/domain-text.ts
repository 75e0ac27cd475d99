import { Type } from 'typebox'

/** Long enough for every valid name and address in every spelling. */
const TEXT_LIMIT = 1024

/** A name or an address as the caller writes it. */
export const text = (description: string, ...examples: string[]) =>
  Type.String({ maxLength: TEXT_LIMIT, description, examples })
