/** Turns the schema errors of a call's input into messages for the caller. */
import type { FastifyError } from 'fastify'
import type { FieldFault } from '../rules/errors.ts'

interface AjvFault {
  readonly instancePath: string
  readonly keyword: string
  readonly message?: string
  readonly params: Record<string, unknown>
  readonly parentSchema?: { readonly description?: string }
}

/** The field of a schema error, as the caller named it: `body.fqdn` → `fqdn`. */
function fieldOf({ instancePath, keyword, params }: AjvFault, place: string): string {
  const path = instancePath.split('/').slice(1)
  if (keyword === 'required') path.push(String(params['missingProperty']))
  if (keyword === 'discriminator') path.push(String(params['tag']))
  if (keyword === 'additionalProperties') path.push(String(params['additionalProperty']))
  return path.join('.') || place
}

function wordsFor(fault: AjvFault, field: string): string {
  switch (fault.keyword) {
    case 'required':
      return `${field} is missing.`
    case 'additionalProperties':
      return `${field} is not a field of this call. Remove it.`
    case 'enum':
      return `${field} must be one of: ${(fault.params['allowedValues'] as unknown[]).join(', ')}.`
    case 'type':
      return `${field} must be ${[fault.params['type']].flat().join(' or ')}.`
    case 'format':
      return `${field} must be ${FORMATS[String(fault.params['format'])] ?? 'in the expected format'}.`
    case 'minLength': {
      const limit = Number(fault.params['limit'])
      if (limit === 1) return `${field} is empty.`
      return `${field} must be at least ${limit} characters long.`
    }
    case 'maxLength':
      return `${field} must be at most ${Number(fault.params['limit'])} characters long.`
    case 'minItems':
      return `${field} must have at least ${Number(fault.params['limit'])} items.`
    case 'maxItems':
      return `${field} must have at most ${Number(fault.params['limit'])} items.`
    case 'discriminator':
    case 'pattern':
      return `${field} is invalid. Expected: ${fault.parentSchema?.description ?? 'plain text'}`
    default:
      return `${field} ${fault.message ?? 'is invalid'}.`
  }
}

const FORMATS: Readonly<Record<string, string>> = { email: 'a valid email address' }

/** The errors that the validator found, each with its field. */
export function inputFaults(error: FastifyError): FieldFault[] {
  const place = error.validationContext ?? 'request'
  const found = (error.validation ?? []) as unknown as AjvFault[]
  return found.map((fault) => {
    const field = fieldOf(fault, place)
    return { field, message: wordsFor(fault, field) }
  })
}
