/**
 * Functions that check a part of a request by its schema. Each is compiled by the first request that needs it, like the
 * serializers: all of them at the start took a sixth of the processor time that the API needs until it accepts a
 * connection. They belong to the process, so that a second app in it, as tests have, compiles none again.
 */
import { components } from '@homing/openapi'
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import ajvFormats from 'ajv-formats'

/** What Fastify calls; it reads `errors` after a call that returned false. */
interface Validator {
  (value: unknown): boolean
  errors?: ErrorObject[] | null
}

/** Ajv with Fastify's options, but stricter: null stays null, a number is not accepted as a string, unknown fields are errors. */
function compilerOf(coerceTypes: false | 'array'): Ajv2020 {
  // verbose: an error includes its schema, and so the description of the expected value.
  const ajv = new Ajv2020({
    strict: false,
    verbose: true,
    // The tests of the contract do it: at each start, it would take as long as loading the contract.
    validateSchema: false,
    useDefaults: true,
    coerceTypes,
    discriminator: true,
  })
  ajvFormats.default(ajv)
  for (const component of components) ajv.addSchema(component)
  return ajv
}

const strict = compilerOf(false)
const coercing = compilerOf('array')

/**
 * The validator of a schema of the contract. It compiles the schema on its first call. A body keeps its types; the texts
 * of a URL become the types of their schema.
 */
export function validatorOf(schema: object, httpPart: string | undefined): Validator {
  const compiler = httpPart === 'body' ? strict : coercing
  let compiled: ValidateFunction | undefined
  const validate: Validator = (value) => {
    // The compiler keeps what it compiled, and knows it by its schema.
    compiled ??= compiler.compile(schema)
    const isValid = compiled(value)
    validate.errors = compiled.errors ?? null
    return isValid
  }
  return validate
}
