/** What the contract's schemas find wrong with a value, as the API would find it. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import ajvFormats from 'ajv-formats'
import type { TSchema } from 'typebox'
import { components } from '../document.ts'

function validator(coerceTypes: boolean): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: true, coerceTypes })
  ajvFormats.default(ajv)
  for (const component of components) ajv.addSchema(component)
  return ajv
}

/** Bodies hold JSON, where a number is no string; paths and queries hold text. */
const json = validator(false)
const text = validator(true)

/** @returns what is wrong, in the validator's words; undefined when nothing is */
export function faultIn(
  schema: TSchema,
  value: unknown,
  place: 'body' | 'path' | 'query',
): string | undefined {
  const ajv = place === 'body' ? json : text
  // Compiled once: ajv knows a schema again by its object.
  const validate = ajv.compile(schema)
  return validate(value) ? undefined : ajv.errorsText(validate.errors, { dataVar: place })
}
