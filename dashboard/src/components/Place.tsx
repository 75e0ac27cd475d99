const names = new Intl.DisplayNames(['en'], { type: 'region' })

/** The distance between a letter and its regional indicator, of which two make a flag. */
const INDICATOR_OFFSET = 0x1f1e6 - 'A'.charCodeAt(0)

const flagOf = (country: string): string =>
  String.fromCodePoint(...Array.from(country, (letter) => letter.charCodeAt(0) + INDICATOR_OFFSET))

/** A country: its flag and its name. @param props.country ISO 3166-1; null if unknown */
export function Place({ country }: { readonly country: string | null }) {
  if (country === null) return <span className="muted">Unknown</span>
  return (
    <span>
      <span aria-hidden="true">{flagOf(country)}</span> {names.of(country) ?? country}
    </span>
  )
}
