import { countryName, flagOf } from './country-name.ts'

/** A country: its flag and its name. @param props.country ISO 3166-1; null if unknown */
export function Place({ country }: { readonly country: string | null }) {
  if (country === null) return <span className="muted">Unknown</span>
  const flag = flagOf(country)
  return (
    <span>
      {flag !== undefined && <span aria-hidden="true">{flag} </span>}
      {countryName(country)}
    </span>
  )
}
