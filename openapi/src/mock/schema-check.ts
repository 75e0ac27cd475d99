/** Validates values with the contract's schemas, as the API does. */
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

/** Bodies contain JSON, where a number is not a string; paths and queries contain text. */
const json = validator(false)
const text = validator(true)

/** @returns the errors, in the validator's words; undefined if the value is valid */
export function faultIn(
  schema: TSchema,
  value: unknown,
  place: 'body' | 'path' | 'query',
): string | undefined {
  const ajv = place === 'body' ? json : text
  // Compiled once: ajv caches a schema by its object.
  const validate = ajv.compile(schema)
  return validate(value) ? undefined : ajv.errorsText(validate.errors, { dataVar: place })
}
