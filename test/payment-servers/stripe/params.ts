/** Reads parameters as Stripe does: strings from a form, with errors that name the parameter. */
import type { Params, Value } from './form.ts'
import type { Metadata } from './objects.ts'
import { invalid, requiredParam } from './trouble.ts'

export function text(params: Params, name: string): string | undefined {
  const value = params[name]
  if (value === undefined) return undefined
  if (typeof value !== 'string') throw invalid(`Invalid string: ${name}`, name)
  return value
}

export function requiredText(params: Params, name: string): string {
  const value = text(params, name)
  if (value === undefined || value === '') throw requiredParam(name)
  return value
}

export function whole(params: Params, name: string): number | undefined {
  const value = text(params, name)
  if (value === undefined || value === '') return undefined
  if (!/^-?\d{1,15}$/.test(value))
    throw invalid(`Invalid integer: ${value}`, name, 'parameter_invalid_integer')
  return Number(value)
}

export function flag(params: Params, name: string): boolean | undefined {
  const value = text(params, name)
  if (value === undefined) return undefined
  if (value !== 'true' && value !== 'false') throw invalid(`Invalid boolean: ${value}`, name)
  return value === 'true'
}

export function oneOf<T extends string>(
  params: Params,
  name: string,
  words: readonly T[],
): T | undefined {
  const value = text(params, name)
  if (value === undefined) return undefined
  const found = words.find((word) => word === value)
  if (found === undefined)
    throw invalid(`Invalid ${name}: must be one of ${words.join(', ')}`, name)
  return found
}

export function group(params: Params, name: string): Params | undefined {
  const value = params[name]
  if (value === undefined || value === '') return undefined
  if (typeof value === 'string' || Array.isArray(value))
    throw invalid(`Invalid object: ${name}`, name)
  return value
}

export function groups(params: Params, name: string): Params[] | undefined {
  const value = list(params, name)
  return value?.map((each, index) => {
    if (typeof each === 'string' || Array.isArray(each))
      throw invalid('Invalid object', `${name}[${index}]`)
    return each
  })
}

export function texts(params: Params, name: string): string[] | undefined {
  return list(params, name)?.map((each) => {
    if (typeof each !== 'string') throw invalid('Invalid string', name)
    return each
  })
}

function list(params: Params, name: string): Value[] | undefined {
  const value = params[name]
  if (value === undefined || value === '') return undefined
  if (!Array.isArray(value)) throw invalid(`Invalid array: ${name}`, name)
  return value
}

/** Metadata merges: an empty value removes its key, an empty group removes all. */
export function metadataOf(params: Params, before: Metadata = {}): Metadata {
  if (params['metadata'] === '') return {}
  const given = Object.entries(group(params, 'metadata') ?? {})
  const merged: Metadata = { ...before }
  for (const [key, value] of given) {
    if (typeof value !== 'string' || key.length > 40 || value.length > 500)
      throw invalid(`Invalid metadata: ${key}`, `metadata[${key}]`)
    if (value === '') delete merged[key]
    else merged[key] = value
  }
  return merged
}

/** Refuses parameters that the endpoint does not have. */
export function onlyParams(params: Params, names: readonly string[]): void {
  const unknown = Object.keys(params).find((name) => name !== 'expand' && !names.includes(name))
  if (unknown !== undefined)
    throw invalid(`Received unknown parameter: ${unknown}`, unknown, 'parameter_unknown')
}
