/** What a list is narrowed by. The URL holds it, so that a reload, a link and the back button agree. */
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useListContext } from 'react-admin'

type Filter = Readonly<Record<string, unknown>>

/** The list's filter, and how to change a part of it; undefined takes the part away. */
export function useFilter() {
  const { filterValues, setFilters } = useListContext()
  const filter = filterValues as Filter
  const change = (part: Filter, options: { readonly later?: boolean } = {}) => {
    const next = Object.entries({ ...filter, ...part }).filter(
      ([, value]) => value !== undefined && value !== '',
    )
    setFilters(Object.fromEntries(next), undefined, options.later)
  }
  return { filter, change, clear: () => setFilters({}) }
}

/** Asks once the typing pauses. The back button brings the text back as well as the list. */
export function SearchField({ label }: { label: string }) {
  const { filter, change } = useFilter()
  const asked = typeof filter['q'] === 'string' ? filter['q'] : ''
  const [text, setText] = useState(asked)
  const lastAsked = useRef(asked)
  useEffect(() => {
    if (lastAsked.current !== asked) setText(asked)
    lastAsked.current = asked
  }, [asked])
  return (
    <label className="filter filter-search">
      <span>{label}</span>
      <input
        type="search"
        value={text}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => {
          setText(target.value)
          lastAsked.current = target.value.trim()
          change({ q: target.value.trim() }, { later: true })
        }}
      />
    </label>
  )
}

interface ChoiceProps {
  readonly label: string
  readonly field: string
  /** What no choice means. */
  readonly all: string
  readonly choices: readonly { readonly value: string; readonly label: string }[]
}

export function Choice({ label, field, all, choices }: ChoiceProps) {
  const { filter, change } = useFilter()
  const chosen = filter[field]
  return (
    <label className="filter">
      <span>{label}</span>
      <select
        value={typeof chosen === 'string' ? chosen : ''}
        onChange={({ target }) => change({ [field]: target.value || undefined })}
      >
        <option value="">{all}</option>
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
    </label>
  )
}

/** The controls above a list. */
export function Filters({ children }: { children: ReactNode }) {
  return (
    <search className="filters" aria-label="Filters">
      {children}
    </search>
  )
}
